import { isDataFault, type Sql } from '@filmgate/kit/database/postgres'
import type { Answered } from '@filmgate/kit/http/spans'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { insertRequests, type NewLoggedRequest, type RequestCount } from './request-log-repository'

export type RequestLog = {
  /** Keeps it in memory until it is written; does nothing for what has no valid API key. */
  add(answered: Answered): void
  /** Writes all that was added. What a failure keeps from being written is written by a later call. */
  flush(): Promise<void>
}

/** While the database is away; a request is some hundred bytes. */
const waitingMax = 10_000
const pathCharactersMax = 200
const refusalCharactersMax = 8_000
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const clientGoneStatus = 499

const lost = counter('requests_not_logged', 'Requests that are missing in the log of requests, because too many waited to be written')

/**
 * The requests of API keys, as their account's people see them. No answer waits for it. All are counted; those that change something or are
 * refused are kept one by one. Of what the rate limit refuses one a key and flush is kept, so that a flood makes few rows.
 */
export function createRequestLog({ sql, now }: { sql: Sql; now(): Date }): RequestLog {
  let waiting: NewLoggedRequest[] = []
  let counts = new Map<string, RequestCount>()
  const limited = new Set<string>()

  function count(request: RequestCount): void {
    const { accountId, day, keyId, method, route, status, requests } = request
    const name = JSON.stringify([accountId, day, keyId, method, route, status])
    const known = counts.get(name)
    if (known) known.requests += requests
    else if (counts.size < waitingMax) counts.set(name, request)
    else lost.add(requests)
  }

  function keep(request: NewLoggedRequest): void {
    if (request.code === 'rate_limited') {
      if (limited.has(request.keyId)) return
      limited.add(request.keyId)
    }
    if (waiting.length < waitingMax) waiting.push(request)
    else lost.add()
  }

  function putBack(taken: { requests: NewLoggedRequest[]; counts: RequestCount[] }): void {
    const room = waitingMax - taken.requests.length
    lost.add(Math.max(0, waiting.length - room))
    waiting = [...taken.requests, ...waiting.slice(0, room)]
    for (const request of taken.counts) count(request)
  }

  return {
    add({ request: { method, url }, route, status, ms, requestId, notes, refusal }) {
      const { account_id: accountId, key_id: keyId, task_id: taskId = null, code = null } = notes
      if (accountId === undefined || keyId === undefined) return
      const answeredAt = now()
      const at = new Date(answeredAt.getTime() - ms)
      count({ accountId, day: answeredAt.toISOString().slice(0, 10), keyId, method, route, status, requests: 1 })
      if (readMethods.has(method) && (status < 400 || status === clientGoneStatus)) return
      const path = new URL(url).pathname.slice(0, pathCharactersMax)
      keep({
        ...{ accountId, keyId, at, method, path, status, code, durationMs: Math.round(ms), requestId, taskId },
        refusal: refusal ? refusalText(refusal) : null,
      })
    },
    async flush() {
      limited.clear()
      if (counts.size === 0) return
      const taken = { requests: waiting, counts: [...counts.values()] }
      waiting = []
      counts = new Map()
      try {
        await insertRequests(sql, taken.requests, taken.counts)
      } catch (error) {
        // What the database never takes must not keep all that comes after it from being written.
        if (isDataFault(error)) lost.add(taken.requests.length)
        else putBack(taken)
        throw error
      }
    },
  }
}

/** Of one with very many issues the code and the message. */
function refusalText(refusal: object): string {
  const text = JSON.stringify(refusal)
  if (text.length <= refusalCharactersMax) return text
  const { error } = refusal as { error?: { code?: string; message?: string } }
  return JSON.stringify({ error: { code: error?.code, message: error?.message?.slice(0, refusalCharactersMax) } })
}
