import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'

/** Clients give up on a call that says nothing, mostly after a minute. */
const everyMs = 10_000
const total = 100

/** Tells a client that asked for progress how far a call is: by what is said to it, and every ten seconds. It only ever grows. */
export function reportProgress({ _meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>) {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { tell: () => {}, stop: () => {} }
  let progress = 0
  let message = 'started'
  const send = (least: number) => {
    progress = Math.min(Math.max(least, progress + 0.01), total)
    // A client that is gone is told nothing.
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total, message } }).catch(() => {})
  }
  const timer = setInterval(() => send(progress), everyMs)
  return {
    tell(words: string, least: number) {
      message = words
      send(least)
    },
    stop: () => clearInterval(timer),
  }
}
