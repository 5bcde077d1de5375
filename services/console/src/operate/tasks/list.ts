import { type Listed, listOf } from '@filmgate/proto/operator/answer'
import { TaskRow } from '@filmgate/proto/operator/task'
import type { OperateDeps, Operator } from '../access/require-operator'
import { readFields, setFields } from '../layout/filter-fields'
import type { ServiceResult } from '../services/services'

export const statuses = ['processing', 'completed', 'failed', 'declined']
export const billings = ['reserved', 'review', 'refund_pending', 'settled', 'refunded']

export const filterNames = ['account', 'status', 'billing', 'model', 'since', 'until', 'cursor'] as const
/** The form's values; '' if a filter is not set. */
export type TaskFilter = Record<(typeof filterNames)[number], string>

export const readFilter = (url: string): TaskFilter => readFields(url, filterNames)

/** One page of the tasks of all accounts, newest first. */
export function readTasks(
  { services }: Pick<OperateDeps, 'services'>,
  { person }: Operator,
  filter: TaskFilter,
): Promise<ServiceResult<Listed<TaskRow>>> {
  const query = new URLSearchParams({ limit: '50', ...setFields(filter, ['since', 'until']) })
  return services.ask(person, 'gateway', { answer: listOf(TaskRow), path: `/tasks?${query}` })
}
