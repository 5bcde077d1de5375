import { insertAuditEntry } from '../audit-log/audit-repository'
import { type ChangeDeps, waitForDecision } from '../credit-changes/change-credits'
import { changeMessage } from '../credit-changes/change-message'
import type { NewChange } from '../credit-changes/credit-change'
import { insertChanges } from '../credit-changes/credit-change-repository'
import { insertStarterGrant } from './account-repository'
import { lockOpenAccount } from './lock-open-account'

export type StarterDeps = Omit<ChangeDeps, 'findBalance'> & { starterCredits: number; now(): Date }
export type StarterInput = { accountId: string; person: string; operator: string }

/**
 * Grants a person's starter credits to the account, once for ever: the person's row, which no account's end takes away, decides among all who
 * ask at once. Returns how many, 0 where the person got them before, and waits a moment for the ledger, so that they can be spent at once.
 */
export async function grantStarterCredits(
  { sql, outbox, topicPrefix, starterCredits: credits, now }: StarterDeps,
  { accountId, person, operator }: StarterInput,
): Promise<number> {
  if (credits === 0) return 0
  const grant: NewChange = {
    ...{ id: `starter:${person}`, kind: 'grant', balance: 'starter', reason: 'sign-up' },
    ...{ accountId, credits, operator, askedAt: now() },
  }
  const granted = await outbox.transaction(async (sql, send) => {
    await lockOpenAccount(sql, accountId)
    if (!(await insertStarterGrant(sql, { person, accountId, credits, operator, grantedAt: grant.askedAt }))) return false
    await insertChanges(sql, [grant], send.fragment([]))
    await insertAuditEntry(sql, { operator, act: 'starter_granted', accountId, subject: person })
    send([changeMessage(topicPrefix, grant)])
    return true
  })
  if (!granted) return 0
  await waitForDecision(sql, grant.id)
  return credits
}
