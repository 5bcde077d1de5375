import { withBrowser } from '../../console/browser'
import type { Report } from '../../support/suite/report'
import { proveLinks } from './links'
import { proveLooks } from './looks'
import { proveViews } from './views'

/** The reference: every link leads somewhere, every page has its Markdown twin, and each kind of page is looked at in a browser. */
export async function prove(report: Report): Promise<void> {
  await proveLinks(report)
  await withBrowser(report, 'reference', async devtools => {
    await proveLooks(report, devtools)
    await proveViews(report, devtools)
  })
}
