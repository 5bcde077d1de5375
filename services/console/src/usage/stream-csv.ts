import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Actor, Gateway } from '../gateway/gateway'

type StreamCsvInput = { actor: Actor; accountId: string; query: URLSearchParams; signal: AbortSignal }

/** Records per page of the gateway's CSV. */
const recordsAtOnce = 500
const nextLink = /<\?([^>]*)>; rel="next"/

/** Streams an account's usage as CSV, page by page, with a single header line. A failure at the start throws. */
export async function streamCsv(gateway: Gateway, input: StreamCsvInput): Promise<ReadableStream<Uint8Array>> {
  const pages = csvPages(gateway, input)
  const first = await pages.next()
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: controller => controller.enqueue(encoder.encode(first.value ?? '')),
    async pull(controller) {
      // An error aborts the download, so that nobody takes a part for the whole.
      const { done, value } = await pages.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await pages.return(undefined)),
  })
}

async function* csvPages(gateway: Gateway, { actor, accountId, query, signal }: StreamCsvInput): AsyncGenerator<string, undefined> {
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
