import { create } from '@bufbuild/protobuf'
import type { Kept } from '@filmgate/kit/bus/reading/read-since'
import { CreditsHeldSchema, type RequestsEvent } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, encode, topics } from '@filmgate/proto/topics'

/**
 * Of the kept requests those to publish once more, each once and in their order: what was asked for about accounts and credits, and the tasks
 * that the ledger held credits for, by the kept `credits`. It holds them again where it has lost that, however late. Requests that it
 * declined or never decided are left out, and cancels are the providers' to know.
 */
export function requestsAgain(requests: readonly Kept[], credits: readonly Kept[]): Kept[] {
  const starterOf = new Map<string, bigint>()
  for (const { value } of credits) {
    const { event } = decode(topics.credits.schema, value)
    if (event.case === 'creditsReserved' && event.value.order) starterOf.set(event.value.order.taskId, event.value.starter)
  }
  const again = new Map<string, Kept>()
  for (const kept of requests) {
    const { event } = decode(topics.requests.schema, kept.value)
    const name = nameOf(event)
    if (name === undefined || again.has(name)) continue
    if (event.case !== 'generationRequested') {
      again.set(name, kept)
      continue
    }
    const starter = starterOf.get(event.value.order?.taskId ?? '')
    // One that was replayed for a restored ledger may have no whole order any more.
    if (starter === undefined || event.value.held?.ended) continue
    const held = create(CreditsHeldSchema, { starter, ended: false })
    again.set(name, { ...kept, value: encode(topics.requests.schema, { event: { ...event, value: { ...event.value, held } } }) })
  }
  return [...again.values()]
}

/** What makes a request the same as another; undefined where it is not asked for again. */
function nameOf({ case: name, value }: RequestsEvent['event']): string | undefined {
  switch (name) {
    case 'generationRequested':
      return value.order && `${name} ${value.order.taskId}`
    case 'accountOpened':
      return `${name} ${value.accountId}`
    case 'accountLimitsSet':
      return `${name} ${value.accountId} ${value.version}`
    case 'budgetSet':
      return `${name} ${value.accountId} ${value.version}`
    case 'creditsGranted':
      return `${name} ${value.grantId}`
    case 'creditsDebited':
      return `${name} ${value.debitId}`
    default:
      return undefined
  }
}
