import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchAxe, violationsOf } from '../../support/browser/axe'
import type { Devtools } from '../../support/browser/devtools'
import { openTab, type Screen, type Tab } from '../../support/browser/tab'
import type { Report } from '../../support/suite/report'
import { kinds, origin } from './pages'

const pictures = resolve(import.meta.dir, '../../../.local/reports/reference')
const screens: Screen[] = [390, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))
const heightMax = 6_000

/** Each kind of page on a phone and on a desk, light and dark. */
export async function proveLooks(report: Report, devtools: Devtools): Promise<void> {
  rmSync(pictures, { recursive: true, force: true })
  mkdirSync(pictures, { recursive: true })
  const axe = await fetchAxe()
  for (const screen of screens) for (const [name, path] of Object.entries(kinds)) await look(report, devtools, { screen, name, path, axe })
  report.figure('reference.pictures', screens.length * Object.keys(kinds).length)
}

type Look = { screen: Screen; name: string; path: string; axe: string }

async function look(report: Report, devtools: Devtools, { screen, name, path, axe }: Look): Promise<void> {
  const what = `${name}, ${screen.width} px, ${screen.scheme}`
  const tab = await openTab(devtools, `${origin}${path}`, screen)
  const widest = await tab.evaluate<number>('document.documentElement.scrollWidth')
  report.check(`${what}: nothing is wider than the screen`, widest <= screen.width, `${widest} px`)
  const top = await tab.evaluate<number>("document.querySelector('h1').getBoundingClientRect().top")
  report.check(`${what}: the content stands first`, top < 844 / 3, `${top} px`)
  writeFileSync(join(pictures, `${name}-${screen.width}-${screen.scheme}.png`), await pictureOf(tab, screen.width))
  const violations = await violationsOf(tab, axe)
  report.check(`${what}: axe finds no violation`, violations.length === 0, violations.join('\n'))
  await tab.press('/')
  await tab.type('key')
  const found = await violationsOf(tab, axe)
  report.check(`${what}: axe finds none in the search`, found.length === 0, found.join('\n'))
  // A missing page is a 404, which the browser tells.
  const errors = tab.errors.filter(error => name !== 'missing' || !error.includes('status of 404'))
  report.check(`${what}: the console has no complaint`, errors.length === 0, errors.join('\n'))
  await tab.close()
}

async function pictureOf(tab: Tab, width: number): Promise<Buffer> {
  const height = await tab.evaluate<number>('document.documentElement.scrollHeight')
  const clip = { x: 0, y: 0, width, height: Math.min(height, heightMax), scale: 1 }
  const { data } = await tab.send<{ data: string }>('Page.captureScreenshot', { captureBeyondViewport: true, clip })
  return Buffer.from(data, 'base64')
}
