import { Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { budgetMessage, type Caps, type Subject } from './budget'
import { isKeyOf, nextBudgetVersion, upsertBudget } from './budget-repository'

export type SetBudgetDeps = { outbox: Pick<Outbox, 'transaction'>; topicPrefix: string; now(): Date }
export type SetBudgetInput = Subject & { caps: Caps; timeZone?: string | undefined; operator: string }

/** Replaces the caps of a key, a member or an account; without any it is cleared. The ledger holds to them from its message on. */
export const setBudget = (
  { outbox, topicPrefix, now }: SetBudgetDeps,
  { accountId, scope, subjectId, caps, timeZone: newTimeZone, operator }: SetBudgetInput,
): Promise<void> =>
  outbox.transaction(async (sql, send) => {
    const account = await nextBudgetVersion(sql, accountId, newTimeZone ?? null)
    if (!account) throw new Failure<Reason>('account_not_found')
    if (account.closed) throw new Failure<Reason>('account_closed')
    if (scope === 'key' && !(await isKeyOf(sql, subjectId, accountId))) throw new Failure<Reason>('key_not_found')
    const { timeZone, version } = account
    const at = now()
    await upsertBudget(sql, { accountId, scope, subjectId, caps, version, setBy: operator, setAt: at })
    const cleared = Object.values(caps).every(cap => cap === null)
    await insertAuditEntry(sql, { operator, act: cleared ? 'budget_cleared' : 'budget_set', accountId, subject: subjectId })
    send([budgetMessage(topicPrefix, { accountId, scope, subjectId, caps, timeZone, version, at })])
  })
