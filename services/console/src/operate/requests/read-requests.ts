import { RequestRow } from '@filmgate/proto/operator/account'
import { type Listed, listOf } from '@filmgate/proto/operator/answer'
import type { OperateDeps, Operator } from '../access/require-operator'
import { toTimestamp } from '../layout/utc-field'
import type { ServiceResult } from '../services/services'

const filterNames = ['account', 'request', 'result', 'code', 'key_id', 'from', 'to', 'cursor'] as const
/** The form's values; '' where a filter is not set. */
export type RequestFilter = Record<(typeof filterNames)[number], string>

export function readFilter(url: string): RequestFilter {
  const { searchParams } = new URL(url)
  return Object.fromEntries(filterNames.map(name => [name, (searchParams.get(name) ?? '').trim()])) as RequestFilter
}

/** A page of the requests of an account or of a request ID, newest first; undefined where neither is given. */
export async function readRequests(
  { services }: Pick<OperateDeps, 'services'>,
  { person }: Operator,
  filter: RequestFilter,
): Promise<ServiceResult<Listed<RequestRow>> | undefined> {
  if (filter.account === '' && filter.request === '') return undefined
  const query = new URLSearchParams()
  for (const name of filterNames)
    if (filter[name] !== '') query.set(name, name === 'from' || name === 'to' ? toTimestamp(filter[name]) : filter[name])
  return services.ask(person, 'gateway', { answer: listOf(RequestRow), path: `/requests?${query}` })
}
