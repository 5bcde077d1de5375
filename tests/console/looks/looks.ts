import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchAxe, violationsOf } from '../../support/browser/axe'
import type { Screen } from '../../support/browser/tab'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { withBrowser } from '../browser'
import type { Visitor } from '../visitor'
import { furnish } from './furnish'
import { openAs } from './open-as'
import { pagesOf, type ShownPage, type Viewer, wiresOf } from './pages'

/** Names of pages with commas between, for whoever mends a few of them; all where it is not set. */
const chosen = process.env.FILMGATE_LOOK_AT?.split(',')
const pictures = resolve(import.meta.dir, '../../../.local/reports/console-looks')
const screens: Screen[] = [390, 1280].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))

/** Each page on a phone and on a desk, light and dark: a picture of all of it, and what can be said of it without looking. */
export const proveLooks = (report: Report): Promise<void> =>
  withBrowser(report, 'looks', async devtools => {
    const furnished = await furnish()
    const wires = wiresOf(furnished)
    const pages = pagesOf(furnished).filter(({ name }) => chosen?.includes(name) ?? true)
    rmSync(pictures, { recursive: true, force: true })
    mkdirSync(pictures, { recursive: true })
    const axe = await fetchAxe()
    for (const screen of screens)
      for (const viewer of Object.keys(wires) as Viewer[]) {
        const visitor = await openAs(devtools, screen, wires[viewer])
        for (const page of pages.filter(each => each.viewer === viewer)) await look(report, { visitor, page, screen, axe })
        await visitor.close()
      }
    report.figure('looks.pages', pages.length)
    report.figure('looks.pictures', pages.length * screens.length)
  })

type Look = { visitor: Visitor; page: ShownPage; screen: Screen; axe: string }

async function look(report: Report, { visitor, page, screen, axe }: Look): Promise<void> {
  const name = `${page.name}, ${screen.width} px, ${screen.scheme}`
  const { stays, at, wide, small, violations, errors } = await seenWhole(() => see({ visitor, page, screen, axe }))
  report.check(`${name}: it is the page that was asked for`, stays, at)
  report.check(`${name}: nothing is wider than the screen`, wide.length === 0, wide.join('\n'))
  report.check(`${name}: everything is large enough to be touched`, small.length === 0, small.join('\n'))
  report.check(`${name}: axe finds no violation`, violations.length === 0, violations.join('\n'))
  report.check(`${name}: the console has no complaint`, errors.length === 0, errors.join('\n'))
}

const triesMax = 3

/** A page that loads itself again, since what it shows has begun or ended, is looked at anew. */
async function seenWhole<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await look()
    } catch (error) {
      if (tries === triesMax) throw error
    }
}

async function see({ visitor, page, screen, axe }: Look) {
  const { tab } = visitor
  tab.errors.splice(0)
  await visitor.go(page.path)
  await page.act?.(visitor)
  const { pathname } = new URL(page.path, settings.consoleUrl)
  const stays = page.act !== undefined || (await tab.evaluate<string>('location.pathname')) === pathname
  writeFileSync(join(pictures, `${page.name}-${screen.width}-${screen.scheme}.png`), await pictureOf(visitor, screen.width))
  const meant = (error: string) => page.status !== undefined && error.includes(`status of ${page.status}`)
  return {
    stays,
    at: await visitor.path(),
    wide: [...(await tab.evaluate<string[]>(widerThan(screen.width))), ...(await tab.evaluate<string[]>(beyondInMenu(screen.width)))],
    small: screen.width < 600 ? await tab.evaluate<string[]>(tooSmallToTouch) : [],
    violations: await violationsOf(tab, axe),
    errors: tab.errors.filter(error => !meant(error)),
  }
}

const wholeHeightMax = 6_000

/** The whole page, not only what is on the screen, with its posters. */
async function pictureOf({ tab }: Visitor, width: number): Promise<Buffer> {
  await tab.evaluate(`Promise.all([...document.images].map(each => { each.loading = 'eager'; return each.decode().catch(() => {}) }))`)
  const height = await tab.evaluate<number>('document.documentElement.scrollHeight')
  const clip = { x: 0, y: 0, width, height: Math.min(height, wholeHeightMax), scale: 1 }
  const { data } = await tab.send<{ data: string }>('Page.captureScreenshot', { captureBeyondViewport: true, clip })
  return Buffer.from(data, 'base64')
}

/** A phone shrinks a page that is too wide until it fits, and says that its window is as wide: the screen's own width is the measure. */
const widerThan = (width: number) => `document.documentElement.scrollWidth <= ${width} ? [] :
  [document.documentElement.scrollWidth + ' px', ...[...document.querySelectorAll('main *, header *')].filter(each => each.getBoundingClientRect().right > ${width} + 1 && !each.closest('.scroll, pre')).slice(0, 5).map(each => each.outerHTML.slice(0, 200))]`

/** The menu has no scroll bar of its own: who doesn't see an entry doesn't look for it. */
const beyondInMenu = (width: number) =>
  `[...document.querySelectorAll('.side a')].filter(each => each.getBoundingClientRect().right > ${width}).map(each => 'menu: ' + each.textContent)`

/** Links within a sentence or a table's cell are as high as its lines (WCAG 2.5.8's exception); what is pressed is higher. */
const touchMinPx = 40
const tooSmallToTouch = `[...document.querySelectorAll('button, .button, summary, select, input:not([type=hidden], [type=checkbox], [type=radio]), nav a, .sheet a')]
  .filter(each => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.hidden') && each.getBoundingClientRect().height < ${touchMinPx})
  .map(each => Math.round(each.getBoundingClientRect().height) + ' px: ' + each.outerHTML.slice(0, 160))`
