import { findChromium, startChromium } from '../../support/browser/chromium'
import { connectDevtools, type Devtools } from '../../support/browser/devtools'
import { openTab } from '../../support/browser/tab'
import { openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { proveUse } from './use-page'

/** The reference in a real browser, as a reader uses it; how its pages look is proved by `bun run test:clients reference`. */
export async function provePage(report: Report): Promise<void> {
  const path = await findChromium()
  if (!path) return report.skip('page', 'it needs chromium; install it, or run as root on Debian')
  const browser = await startChromium(path)
  try {
    const devtools = await connectDevtools(browser.url)
    await proveBare(report, devtools)
    await proveUse(report, devtools, (await openAccount({ credits: 1 })).apiKey)
    devtools.close()
  } finally {
    await browser.stop()
  }
}

/** Without its scripts the reference is whole: all languages stand below each other. */
async function proveBare(report: Report, devtools: Devtools): Promise<void> {
  const { origin } = new URL(settings.url)
  const tab = await openTab(devtools, `${origin}/docs`, { width: 390, scheme: 'light', script: false })
  const start = await tab.evaluate<string>('document.body.innerText')
  report.check('without scripts samples of all languages are there', /curl/.test(start) && /from filmgate import/.test(start), start)
  await tab.go(`${origin}/docs/models/alpha-h3`)
  const model = await tab.evaluate<string>('document.body.innerText')
  report.check('and the fields and prices of a model', /768p/.test(model) && /a second/.test(model), model.slice(0, 300))
  await tab.close()
}
