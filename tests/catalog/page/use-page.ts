import type { Devtools } from '../../support/browser/devtools'
import { openTab, type Tab } from '../../support/browser/tab'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { proveLent } from './use-lent-key'

/** What a reader does: look up, copy, try, with the keyboard alone. */
export async function proveUse(report: Report, devtools: Devtools, apiKey: string): Promise<void> {
  const { origin } = new URL(settings.url)
  await devtools.send('Browser.grantPermissions', { origin, permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] })
  const tab = await openTab(devtools, `${origin}/docs`, { width: 390, scheme: 'light' })
  await proveShown(report, tab, origin)
  await proveKeyboard(report, tab)
  await proveCopy(report, tab, origin)
  await proveTry(report, tab, apiKey)
  await proveLent(report, tab, origin)
  report.check('used, the page makes the console complain of nothing', tab.errors.length === 0, tab.errors.join('\n'))
  await tab.close()
}

async function proveShown(report: Report, tab: Tab, origin: string): Promise<void> {
  const silent = await tab.evaluate<string[]>(
    `[...document.querySelectorAll('.model')].filter(model => {
      const facts = model.querySelector('dl')
      return model.querySelector('details').open || !facts.checkVisibility() || !/Price.*credits a.*Length.*Resolution/s.test(facts.innerText)
    }).map(model => model.innerText)`,
  )
  report.check('each model shows its price and limits before it is unfolded', silent.length === 0, silent[0])
  const dead = await tab.evaluate<string[]>(
    `[...document.querySelectorAll('a[href^="#"]')].map(link => link.getAttribute('href')).filter(href => !document.getElementById(href.slice(1)))`,
  )
  report.check('every link within the page leads somewhere', dead.length === 0, dead.join())
  const inline = await tab.evaluate<number>(
    `document.querySelectorAll('script:not([src]):not([type="application/json"]), style, [style]').length`,
  )
  report.check('the page has no script and no style within itself', inline === 0, String(inline))
  const start = await tab.evaluate<string>("document.getElementById('start').parentElement.querySelector('pre').innerText")
  report.check('the quick start names its own host', start.includes(`${origin}/api/v1/video/generations`), start)
}

async function proveKeyboard(report: Report, tab: Tab): Promise<void> {
  const focused = () =>
    tab.evaluate<string>('document.activeElement.id || document.activeElement.className || document.activeElement.tagName')
  await tab.press('Tab')
  report.check('the first stop of the keyboard skips to the content', (await focused()) === 'skip', await focused())
  await tab.press('Tab')
  await tab.press('Tab')
  await tab.press('Enter')
  report.check('the menu opens by keyboard', await tab.evaluate<boolean>("document.getElementById('menu').open"), await focused())
  await tab.press('Tab')
  await tab.type('kappa 2.3 fast')
  report.check('the search narrows the menu', (await tab.evaluate<string>("document.getElementById('found').innerText")) === '1 found')
  await tab.press('Enter')
  await until('the model that was searched for', () => tab.evaluate<boolean>("location.hash === '#kappa-2.3-fast'"))
  const unfolded = "document.getElementById('kappa-2.3-fast').closest('.model').querySelector('details').open"
  // The page is told of its new address a little after it has it.
  const unfolds = until('it to unfold', () => tab.evaluate<boolean>(unfolded))
  report.check('a link to a model unfolds it', await unfolds.catch(() => false))
  report.check('the menu closes behind it', await tab.evaluate<boolean>("!document.getElementById('menu').open"))
  await tab.press('/')
  report.check('/ leads to the search', (await focused()) === 'search', await focused())
  await tab.evaluate("document.getElementById('menu').open = false")
}

async function proveCopy(report: Report, tab: Tab, origin: string): Promise<void> {
  await tab.evaluate("document.querySelector('.copy').click()")
  await until('the copy', () => tab.evaluate<boolean>("document.querySelector('.copy').textContent === 'Copied'"))
  const copied = await tab.evaluate<string>('navigator.clipboard.readText()')
  report.check('what is copied is the example with the own host', copied.startsWith(`curl ${origin}/api/v1/video/generations`), copied)
}

async function proveTry(report: Report, tab: Tab, apiKey: string): Promise<void> {
  await tab.evaluate('document.querySelector(\'[data-example="beta-2.5.image-to-video"]\').click()')
  await tab.evaluate(`document.getElementById('key').value = ${JSON.stringify(apiKey)}`)
  await tab.evaluate("document.getElementById('send').click()")
  await until('the answer', () => tab.evaluate<boolean>("document.getElementById('status').dataset.kind !== ''"))
  const status = await tab.evaluate<string>("document.getElementById('status').innerText")
  const answer = await tab.evaluate<string>("document.getElementById('answer').textContent")
  report.check(
    'an example is tried from the page',
    status.startsWith('200') && JSON.parse(answer).request?.model === 'beta-2.5',
    `${status} ${answer}`,
  )
}
