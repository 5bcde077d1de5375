import type { Report } from '../../support/suite/report'
import { withBrowser } from '../browser'
import { furnish } from '../looks/furnish'
import { openAs } from '../looks/open-as'
import { pagesOf, type Viewer, wiresOf } from '../looks/pages'
import { signUpByWire } from '../people/sign-up'
import { proveLists } from './lists'
import { proveViews, slowDown } from './views'

/** Pages that come early and fast, with an account in use, and lists that stay as fast with years of tasks. */
export async function proveSpeed(report: Report): Promise<void> {
  await proveLists(report, await signUpByWire('Methuselah'))
  await withBrowser(report, 'speed of pages', async devtools => {
    const furnished = await furnish()
    const wires = wiresOf(furnished)
    const pages = pagesOf(furnished).filter(({ act, status }) => act === undefined && status === undefined)
    let slowestMs = 0
    for (const viewer of Object.keys(wires) as Viewer[]) {
      const visitor = await openAs(devtools, { width: 390, scheme: 'light' }, wires[viewer])
      await slowDown(visitor.tab)
      const { slowest } = await proveViews(report, { visitor, pages: pages.filter(page => page.viewer === viewer) })
      slowestMs = Math.max(slowestMs, slowest)
      await visitor.close()
    }
    report.figure('speed.slowestPaintMs', slowestMs)
  })
}
