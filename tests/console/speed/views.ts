import type { Tab } from '../../support/browser/tab'
import { settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import type { ShownPage } from '../looks/pages'
import type { Visitor } from '../visitor'
import { percentile } from './percentile'

const scriptBytesMax = 100_000
const paintMsMax = 1_000
const slowedTimes = 4
const visits = 5

type View = { paintMs: number; scriptBytes: number; openScripts: string[] }

/** When the largest part of the page was painted, and what its scripts weighed on the way here. Runs in the page. */
const viewOfPage = `new Promise((resolve, reject) => {
  let paintMs
  new PerformanceObserver(list => { paintMs = list.getEntries().at(-1).startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  const scripts = performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType === 'script')
  const inline = [...document.querySelectorAll('script:not([src])')].map(({ textContent }) => textContent.length)
  const look = tries => {
    if (paintMs === undefined && tries > 0) return setTimeout(look, 50, tries - 1)
    if (paintMs === undefined) return reject(new Error('nothing was painted'))
    resolve({
      paintMs,
      scriptBytes: [...scripts.map(({ encodedBodySize }) => encodedBodySize), ...inline].reduce((sum, bytes) => sum + bytes, 0),
      openScripts: scripts.filter(({ encodedBodySize, decodedBodySize }) => decodedBodySize > 2_000 && encodedBodySize >= decodedBodySize).map(({ name }) => name),
    })
  }
  requestIdleCallback(() => look(40), { timeout: 2_000 })
})`

/** First views: nothing is in the browser's cache, and its processor is slowed. */
export async function slowDown(tab: Tab): Promise<void> {
  await tab.send('Network.enable')
  await tab.send('Network.setCacheDisabled', { cacheDisabled: true })
  await tab.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes })
}

/** Each page several times: how heavy its scripts are, and when the largest part of it stands there at the latest. */
export async function proveViews(
  report: Report,
  { visitor, pages }: { visitor: Visitor; pages: ShownPage[] },
): Promise<{ slowest: number }> {
  let slowest = 0
  for (const { name, path } of pages) {
    const views: View[] = []
    let late = 0
    while (views.length < visits) {
      await visitor.tab.go(new URL(path, settings.consoleUrl).href)
      const view = await visitor.tab.evaluate<View>(viewOfPage)
      // The machine serves others too: one late view of a page is made again, a second one counts.
      if (view.paintMs > paintMsMax && late++ === 0) continue
      views.push(view)
    }
    const times = views.map(({ paintMs }) => paintMs)
    const [half, most] = [percentile(times, 0.5), Math.max(...times)]
    const bytes = Math.max(...views.map(({ scriptBytes }) => scriptBytes))
    slowest = Math.max(slowest, most)
    report.figure(
      `speed.paint.${name}`,
      `${Math.round(half)} ms, at most ${Math.round(most)} ms${late > 0 ? ', one late view made again' : ''}`,
    )
    report.figure(`speed.scripts.${name}`, bytes)
    report.check(`${name}: the largest part is painted within ${paintMsMax} ms`, most <= paintMsMax, `${half} ms, at most ${most} ms`)
    report.check(`${name}: its scripts weigh at most ${scriptBytesMax} bytes`, bytes <= scriptBytesMax, String(bytes))
    const open = views.flatMap(({ openScripts }) => openScripts)
    report.check(`${name}: its scripts come compressed`, open.length === 0, open.join('\n'))
  }
  return { slowest }
}
