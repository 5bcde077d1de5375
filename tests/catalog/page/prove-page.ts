import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchAxe, violationsOf } from '../../support/browser/axe'
import { findChromium, startChromium } from '../../support/browser/chromium'
import { connectDevtools, type Devtools } from '../../support/browser/devtools'
import { openTab, type Screen } from '../../support/browser/tab'
import { openAccount } from '../../support/client/account'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { proveUse } from './use-page'

const pictures = resolve(import.meta.dir, '../../../.local/reports/page')
const screens: Screen[] = [390, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))

/** The reference page in a real browser: as wide as the screen, readable, usable by keyboard, without a complaint of the console or of axe. */
export async function provePage(report: Report): Promise<void> {
  const path = await findChromium()
  if (!path) return report.skip('page', 'it needs chromium; install it, or run as root on Debian')
  const axe = await fetchAxe()
  const browser = await startChromium(path)
  try {
    const devtools = await connectDevtools(browser.url)
    for (const screen of screens) await proveLook(report, devtools, screen, axe)
    await proveBare(report, devtools)
    await proveUse(report, devtools, (await openAccount({ credits: 1 })).apiKey)
    devtools.close()
  } finally {
    await browser.stop()
  }
}

const origin = () => new URL(settings.url).origin

async function proveLook(report: Report, devtools: Devtools, screen: Screen, axe: string): Promise<void> {
  const name = `${screen.width} px, ${screen.scheme}`
  const tab = await openTab(devtools, `${origin()}/`, screen)
  const asWide = () => tab.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
  report.check(`${name}: / leads to the reference`, (await tab.evaluate<string>('location.pathname')) === '/docs')
  report.check(`${name}: nothing is wider than the screen`, await asWide())
  const seen = await tab.evaluate<boolean>("document.querySelector('h1').getBoundingClientRect().top < innerHeight / 3")
  report.check(`${name}: the content stands first`, seen)
  mkdirSync(pictures, { recursive: true })
  for (const id of ['content', 'try-it', 'createVideoGeneration', 'models', 'errors']) {
    await tab.evaluate(`document.getElementById('${id}').scrollIntoView()`)
    writeFileSync(join(pictures, `${screen.width}-${screen.scheme}-${id}.png`), await tab.screenshot())
  }
  await tab.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")
  report.check(`${name}: nothing is wider than the screen when all is unfolded`, await asWide())
  // axe looks at every element: two models unfolded are like the others.
  await tab.evaluate("[...document.querySelectorAll('.model details')].slice(2).forEach(part => { part.open = false })")
  const violations = await violationsOf(tab, axe)
  report.check(`${name}: axe finds no violation`, violations.length === 0, violations.join('\n'))
  report.check(`${name}: the console has no complaint`, tab.errors.length === 0, tab.errors.join('\n'))
  await tab.close()
}

/** Without its scripts the page is still the reference. */
async function proveBare(report: Report, devtools: Devtools): Promise<void> {
  const tab = await openTab(devtools, `${origin()}/docs`, { width: 390, scheme: 'light', script: false })
  const text = await tab.evaluate<string>('document.body.innerText')
  report.check('without scripts the models and their prices are there', /alpha-h3\b/.test(text) && /credits a second/.test(text))
  await tab.close()
}
