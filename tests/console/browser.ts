import { findChromium, startChromium } from '../support/browser/chromium'
import { connectDevtools, type Devtools } from '../support/browser/devtools'
import type { Report } from '../support/suite/report'

/** A browser for one part of the suite. Where none is to be had the part has failed: what it proves was not looked at. */
export async function withBrowser(report: Report, part: string, use: (devtools: Devtools) => Promise<void>): Promise<void> {
  const path = await findChromium()
  if (!path) return report.check(`${part} has a browser`, false, 'it needs chromium; install it, or run as root on Debian')
  const browser = await startChromium(path)
  try {
    const devtools = await connectDevtools(browser.url)
    await use(devtools)
    devtools.close()
  } finally {
    await browser.stop()
  }
}
