import type { Devtools } from '../../support/browser/devtools'
import { openTab, type Tab } from '../../support/browser/tab'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { proveLent } from './use-lent-key'

/** What a reader does: look up, choose, copy, try, with the keyboard alone. */
export async function proveUse(report: Report, devtools: Devtools, apiKey: string): Promise<void> {
  const { origin } = new URL(settings.url)
  await devtools.send('Browser.grantPermissions', { origin, permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] })
  const tab = await openTab(devtools, `${origin}/`, { width: 390, scheme: 'light' })
  report.check('/ leads to the reference', (await tab.evaluate<string>('location.pathname')) === '/docs')
  await proveKeyboard(report, tab)
  await proveCopy(report, tab, origin)
  await proveChoices(report, tab, origin)
  await proveOldLinks(report, tab, origin)
  await proveTry(report, tab, { origin, apiKey })
  await proveLent(report, tab, origin)
  report.check('used, the pages make the console complain of nothing', tab.errors.length === 0, tab.errors.join('\n'))
  await tab.close()
}

const focusedId = 'document.activeElement.id || document.activeElement.className || document.activeElement.tagName'

async function proveKeyboard(report: Report, tab: Tab): Promise<void> {
  const focused = () => tab.evaluate<string>(focusedId)
  await tab.press('Tab')
  report.check('the first stop of the keyboard skips to the content', (await focused()) === 'skip', await focused())
  for (let stops = 0; stops < 3; stops++) await tab.press('Tab')
  await tab.press('Enter')
  report.check('the menu opens by keyboard', await tab.evaluate<boolean>("document.getElementById('menu').open"), await focused())
  await tab.press('/')
  report.check('/ opens the search', (await focused()) === 'search', await focused())
  await tab.type('kappa 2.3 fast')
  const first = () => tab.evaluate<string>("document.querySelector('#results a')?.getAttribute('href') ?? ''")
  await until('a result', async () => (await first()) !== '').catch(() => undefined)
  report.check('a model is found by its words', (await first()) === '/docs/models/kappa-2.3-fast', await first())
  await tab.press('Escape')
  report.check('Escape closes it', !(await tab.evaluate<boolean>("document.querySelector('dialog').open")))
  await tab.press('/')
  await tab.evaluate("document.getElementById('search').value = ''")
  await tab.type('insufficient_credits')
  await until('the code', async () => (await first()) === '/docs/errors#insufficient_credits').catch(() => undefined)
  report.check('a code is found', (await first()) === '/docs/errors#insufficient_credits', await first())
  await tab.press('Enter')
  report.check('Enter leads to the first result', await arrives(tab, '/docs/errors#insufficient_credits'))
}

async function proveCopy(report: Report, tab: Tab, origin: string): Promise<void> {
  await tab.go(`${origin}/docs`)
  await tab.evaluate("document.querySelector('.copy').click()")
  await until('the copy', () => tab.evaluate<boolean>("document.querySelector('.copy').textContent === 'Copied'"))
  const copied = await tab.evaluate<string>('navigator.clipboard.readText()')
  report.check('what is copied has the own host', copied.includes(`FILMGATE_URL=${origin}/api/v1`), copied)
}

/** A page that is left while it is asked answers nothing. */
function arrives(tab: Tab, place: string): Promise<boolean> {
  const isThere = `location.pathname + location.hash === ${JSON.stringify(place)} && document.readyState === 'complete'`
  return until(place, () => tab.evaluate<boolean>(isThere).catch(() => false), 20_000).catch(() => false)
}

const shownCode = `[...document.querySelectorAll('.sample .variant')].find(each => each.checkVisibility()).querySelector('code').textContent`

/** The language and the model that were chosen once hold on every page. */
async function proveChoices(report: Report, tab: Tab, origin: string): Promise<void> {
  await tab.evaluate(`document.querySelector('[data-choose-language="python"]').click()`)
  report.check('a language shows its own sample', (await tab.evaluate<string>(shownCode)).includes('from filmgate import'))
  await tab.evaluate(`(() => {
    const choice = document.querySelector('[data-choose-example]')
    choice.value = 'kappa-2.3.image-to-video'
    choice.dispatchEvent(new Event('change'))
  })()`)
  const shows = () => tab.evaluate<boolean>(`${shownCode}.includes('model="kappa-2.3"') && ${shownCode}.includes('image_url=')`)
  report.check('a model puts its request into the sample', await until('it', shows, 10_000).catch(() => false))
  await tab.go(`${origin}/docs/first-video`)
  report.check('language and model hold on another page', await shows(), await tab.evaluate<string>(shownCode))
  await tab.go(`${origin}/docs/models/alpha-h3`)
  const own = await tab.evaluate<string>(shownCode)
  report.check('a model’s own page shows that model', own.includes('model="alpha-h3"'), own)
  await tab.evaluate('localStorage.clear()')
}

/** Links to the one page that the reference was once. */
async function proveOldLinks(report: Report, tab: Tab, origin: string): Promise<void> {
  const places = {
    'alpha-h3': '/docs/models/alpha-h3',
    'error-budget_exceeded': '/docs/errors#budget_exceeded',
    webhooks: '/docs/polling-and-webhooks#webhooks',
    listVideoGenerationEvents: '/docs/api/listVideoGenerationEvents',
    VideoTask: '/docs/objects#videotask',
  }
  for (const [hash, place] of Object.entries(places)) {
    await tab.go(`${origin}/docs?${crypto.randomUUID()}#${hash}`).catch(() => undefined)
    const arrived = await arrives(tab, place)
    const target = place.split('#')[1]
    const exists = target === undefined || (await tab.evaluate<boolean>(`document.getElementById('${target}') !== null`))
    report.check(`the old link #${hash} leads to ${place}`, arrived && exists, await tab.evaluate<string>('location.href'))
  }
}

async function proveTry(report: Report, tab: Tab, { origin, apiKey }: { origin: string; apiKey: string }): Promise<void> {
  await tab.go(`${origin}/docs/try-it?example=beta-2.5.image-to-video`)
  await tab.evaluate(`document.getElementById('key').value = ${JSON.stringify(apiKey)}`)
  await tab.evaluate("document.getElementById('send').click()")
  await until('the answer', () => tab.evaluate<boolean>("(document.getElementById('status').dataset.kind ?? '') !== ''"))
  const status = await tab.evaluate<string>("document.getElementById('status').innerText")
  const answer = await tab.evaluate<string>("document.getElementById('answer').textContent")
  report.check(
    'an example is tried from the page',
    status.startsWith('200') && JSON.parse(answer).request?.model === 'beta-2.5',
    `${status} ${answer}`,
  )
}
