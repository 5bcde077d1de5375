import type { Tab } from '../../support/browser/tab'
import { until } from '../../support/until'

export type Held = { method: string; url: URL; letGo(): Promise<void> }

/** Holds what a page asks for at paths that fit, until each is let go; `end` lets everything pass again. */
export async function holdRequests(tab: Tab, fits: (method: string, url: URL) => boolean) {
  const held: Held[] = []
  const ended = new Set<unknown>()
  // An aborted request is no longer there to go on.
  const goOn = (requestId: unknown) => tab.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  tab.on((method, params) => {
    if (method === 'Network.loadingFinished' || method === 'Network.loadingFailed') ended.add(params.requestId)
    if (method !== 'Fetch.requestPaused') return
    const { requestId, networkId, request } = params as { requestId: string; networkId: string; request: { method: string; url: string } }
    const url = new URL(request.url)
    if (!fits(request.method, url)) return void goOn(requestId)
    held.push({
      method: request.method,
      url,
      async letGo() {
        await goOn(requestId)
        await until(`${url} to be answered or given up`, async () => ended.has(networkId))
      },
    })
  })
  await tab.send('Network.enable')
  await tab.send('Fetch.enable')
  return {
    held,
    next: (what: string, count: number) => until(`${what} to be asked for`, async () => held[count - 1]),
    end: () => tab.send('Fetch.disable'),
  }
}
