import type { UsageRecord, UsageSummary } from '../generated.ts'
import type { Connection } from '../http/connection.ts'
import { type CallOptions, limitOf } from '../http/limit.ts'
import { send } from '../http/send.ts'
import { callMs, type Paged, paged } from './paged.ts'
import { type ListTasks, tagQuery } from './tasks.ts'

type Span = CallOptions & {
  /** Not earlier than this day (UTC) or moment. */
  from?: string | undefined
  /** Earlier than this day (UTC) or moment. */
  to?: string | undefined
  model?: string | undefined
  key_id?: string | undefined
  tag?: ListTasks['tag']
}

export const usage = (connection: Connection) => ({
  /** What was charged and what came back, newest first, over all pages. */
  list: ({ tag, ...options }: Span & { cursor?: string | undefined; limit?: number | undefined } = {}): Paged<UsageRecord> =>
    paged<UsageRecord>(connection, '/usage', { ...options, ...tagQuery(tag) }),

  /** Sums by `by`: `day`, `model`, `key` and one `tag:NAME`, separated by commas. By default `day,model` of the last 30 days. */
  async summary({ tag, signal, timeoutMs, ...query }: Span & { by?: string | undefined } = {}): Promise<UsageSummary> {
    const call = { path: '/usage/summary', query: { ...query, ...tagQuery(tag) } }
    return (await send<UsageSummary>(connection, call, limitOf({ signal, timeoutMs }, callMs))).body
  },
})
