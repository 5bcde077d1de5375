import { periodsAt } from '@filmgate/kit/calendar/period'
import type { Sql } from '@filmgate/kit/database/postgres'
import { resetTimes } from './budget'
import { type CrossingNotice, listCrossingNotices, markCrossingsTaken } from './crossing-repository'

/** Marks `taken` by their ids, and returns what nobody has taken yet. One comes again until it is marked. */
export async function takeCrossings(sql: Sql, taken: string[], rowsMax: number) {
  if (taken.length > 0) await markCrossingsTaken(sql, taken)
  return (await listCrossingNotices(sql, rowsMax)).map(crossingView)
}

function crossingView({ id, accountId, scope, subjectId, keyName, period, cap, percent, spent, at, timeZone }: CrossingNotice) {
  const resetsAt = resetTimes(periodsAt(at.getTime(), timeZone))
  return {
    ...{ id, account_id: accountId, budget: scope, subject_id: subjectId, key_name: keyName },
    ...{ period, percent, max_credits: cap, spent_credits: spent, resets_at: resetsAt[period], time_zone: timeZone },
  }
}
