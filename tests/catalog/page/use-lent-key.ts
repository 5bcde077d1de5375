import type { Tab } from '../../support/browser/tab'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'

/** A key comes in an address only where this tab set out for it: any site could link to one of its own, and read what is made with it. */
export async function proveLent(report: Report, tab: Tab, origin: string): Promise<void> {
  const key = () => tab.evaluate<string>("document.getElementById('key').value")
  const comeBack = async (hash: string) => {
    await tab.evaluate('document.isLeft = true')
    // Another address first: a change of the fragment alone loads nothing.
    await tab.evaluate(`location.href = '${origin}/docs/try-it?${crypto.randomUUID()}${hash}'`)
    await until('the page anew', () => tab.evaluate<boolean>(`!document.isLeft && Boolean(document.getElementById('status')?.innerText)`))
  }
  await comeBack('#key=sk_live_planted')
  report.check('a key that some link brings is not filled in', (await key()) === '', await key())
  const hash = await tab.evaluate<string>('location.hash')
  report.check('and leaves the address', hash === '', hash)
  await tab.evaluate("sessionStorage.setItem('filmgate:lending', 'of-this-tab')")
  await comeBack('#key=sk_live_planted&state=guessed')
  report.check('nor one with another state than this tab’s', (await key()) === '', await key())
  await tab.evaluate("sessionStorage.setItem('filmgate:lending', 'of-this-tab')")
  await comeBack('#key=sk_live_lent&state=of-this-tab')
  report.check('one that this tab set out for is filled in', (await key()) === 'sk_live_lent', await key())
  await comeBack('#key=sk_live_lent&state=of-this-tab')
  report.check('once', (await key()) === '', await key())
}
