import { Failure } from '@filmgate/kit/failure'
import { personOf } from '@filmgate/kit/operator/second-person'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { approveAwaited, findAwaited } from './awaited-change-repository'
import { type ChangeDeps, changeCredits } from './change-credits'
import type { CreditChange } from './credit-change'

/**
 * Approves a change above the limit in the name of another operator than who asked for it (403), and asks the ledger for it. Repeated, it
 * tells what became of it; the first approval stands.
 */
export async function approveChange(
  deps: ChangeDeps & { now(): Date },
  { id, operator }: { id: string; operator: string },
): Promise<CreditChange> {
  const awaited = await findAwaited(deps.sql, id)
  if (!awaited) throw new Failure<Reason>('change_not_found')
  const { approvedBy, ...change } = awaited
  if (approvedBy === null) {
    const asker = personOf(change.operator)
    // Who asked by another name, before addresses were required, may be anybody: it is asked for anew.
    if (asker === undefined || asker === personOf(operator)) throw new Failure<Reason>('second_person_required')
    await deps.sql.begin(async sql => {
      if (!(await approveAwaited(sql, { id, by: operator, at: deps.now() }))) return
      await insertAuditEntry(sql, { operator, act: 'change_approved', accountId: change.accountId, subject: id })
    })
  }
  return changeCredits(deps, change)
}
