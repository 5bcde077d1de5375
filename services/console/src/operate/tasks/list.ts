import { rfc3339 } from '@filmgate/kit/rfc3339'
import { type Listed, listOf } from '@filmgate/proto/operator/answer'
import { TaskRow } from '@filmgate/proto/operator/task'
import type { OperateDeps, Operator } from '../door/operator-of'
import type { Told } from '../services/services'

export const statuses = ['processing', 'completed', 'failed', 'declined']
export const billings = ['reserved', 'review', 'refund_pending', 'settled', 'refunded']

export const filterNames = ['account', 'status', 'billing', 'model', 'since', 'until', 'cursor'] as const
/** As the form has it; '' where nothing is asked. */
export type TaskFilter = Record<(typeof filterNames)[number], string>

export function readFilter(url: string): TaskFilter {
  const { searchParams } = new URL(url)
  return Object.fromEntries(filterNames.map(name => [name, (searchParams.get(name) ?? '').trim()])) as TaskFilter
}

/** One page of the tasks of all accounts, newest first, as the gateway has them. */
export function readTasks(
  { services }: Pick<OperateDeps, 'services'>,
  { person }: Operator,
  filter: TaskFilter,
): Promise<Told<Listed<TaskRow>>> {
  const query = new URLSearchParams({ limit: '50' })
  for (const name of filterNames)
    if (filter[name] !== '') query.set(name, name === 'since' || name === 'until' ? momentOf(filter[name]) : filter[name])
  return services.ask(person, 'gateway', { answer: listOf(TaskRow), path: `/tasks?${query}` })
}

/** What a browser's field for a time sends, 2026-11-21T08:30, is of UTC; anything else is the gateway's to refuse. */
function momentOf(text: string): string {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text.length === 16 ? `${text}:00` : text}Z` : text
  return rfc3339(moment)?.toISOString() ?? text
}
