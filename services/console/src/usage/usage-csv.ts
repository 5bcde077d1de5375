import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway } from '../gateway/gateway'

type UsageCsvInput = { actor: Actor; accountId: string; query: URLSearchParams; signal: AbortSignal }

/** Records per page of the gateway's CSV. */
const recordsAtOnce = 500
const nextLink = /<\?([^>]*)>; rel="next"/

/** An account's usage as CSV, page by page, with a single header line. */
export async function* usageCsv(gateway: Gateway, { actor, accountId, query, signal }: UsageCsvInput): AsyncGenerator<string, void> {
  let next: string | undefined = `${new URLSearchParams([...query, ['limit', String(recordsAtOnce)]])}`
  for (let isFirst = true; next !== undefined; isFirst = false) {
    const path = `/accounts/${accountId}/usage?${next}`
    const answer: Response = await gateway.fetch(actor, { path, headers: { accept: 'text/csv' }, signal })
    if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} to ${path}` })
    const text = await answer.text()
    yield isFirst ? text : text.slice(text.indexOf('\n') + 1)
    next = nextLink.exec(answer.headers.get('link') ?? '')?.[1]
  }
}
