import { RequestRow } from '@filmgate/proto/operator/account'
import { type Listed, listOf } from '@filmgate/proto/operator/answer'
import type { OperateDeps, Operator } from '../access/require-operator'
import { readFields, setFields } from '../layout/filter-fields'
import type { ServiceResult } from '../services/services'

const filterNames = ['account', 'request', 'result', 'code', 'key_id', 'from', 'to', 'cursor'] as const
/** The form's values; '' where a filter is not set. */
export type RequestFilter = Record<(typeof filterNames)[number], string>

export const readFilter = (url: string): RequestFilter => readFields(url, filterNames)

/** A page of the requests of an account or of a request ID, newest first; undefined where neither is given. */
export async function readRequests(
  { services }: Pick<OperateDeps, 'services'>,
  { person }: Operator,
  filter: RequestFilter,
): Promise<ServiceResult<Listed<RequestRow>> | undefined> {
  if (filter.account === '' && filter.request === '') return undefined
  const query = new URLSearchParams(setFields(filter, ['from', 'to']))
  return services.ask(person, 'gateway', { answer: listOf(RequestRow), path: `/requests?${query}` })
}
