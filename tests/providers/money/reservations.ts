import { run } from '../../support/servers/databases'

export type ReservationState = 'reserved' | 'review' | 'refund_pending' | 'settled' | 'refunded'

/** What the ledger has of each of these tasks. */
export async function reservationsOf(taskIds: string[]): Promise<Map<string, ReservationState>> {
  const rows = await run<{ task_id: string; state: ReservationState }>(
    'ledger',
    'select task_id, state from reservation where task_id in (select jsonb_array_elements_text($1::text::jsonb))',
    [JSON.stringify(taskIds)],
  )
  if (rows.length !== taskIds.length) throw new Error(`the ledger has ${rows.length} reservations of ${taskIds.length} tasks`)
  return new Map(rows.map(({ task_id: taskId, state }) => [taskId, state]))
}
