import type { Sql } from '@filmgate/kit/database/postgres'
import { failed, refused } from '../attempt/events'
import type { Transition } from '../attempt/transition'
import { isCancelRequested } from './cancel-repository'

/** Where a cancel waits, an attempt that certainly brings no video is the last one: its task ends as cancelled instead of being tried again. */
export async function unlessCancelled({ sql, now }: { sql: Sql; now: () => Date }, transition: Transition): Promise<Transition> {
  const { attempt, job, to = attempt.state, columns, after } = transition
  if (after.next !== 'successor' || !(await isCancelRequested(sql, attempt))) return transition
  const event = to === 'refused' ? refused(attempt, now(), 'cancelled') : failed(attempt, now(), 'cancelled')
  return { attempt, job, to, columns: { ...columns, code: 'cancelled' }, events: [event], after: { next: 'end' } }
}
