import { pause } from '@filmgate/kit/deadline'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { uuidv7 } from 'uuidv7'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { FindBalance } from '../balances/find-balance'
import { changeMessage } from '../credit-changes/change-message'
import type { NewChange } from '../credit-changes/credit-change'
import { insertChanges } from '../credit-changes/credit-change-repository'
import { newKey, newKeyId, storedSecret } from '../keys/api-key'
import { insertKey } from '../keys/key-repository'
import { openedMessage } from './account-message'
import { insertAccount } from './account-repository'

export type OpenAccountDeps = { findBalance: FindBalance; outbox: Outbox; topicPrefix: string; pepper: string; now(): Date }
export type OpenAccountInput = { name: string; credits: number; starterCredits: number; operator: string }

const visibleWithinMs = 10_000

/** Opens an account with a first key and credits, and waits until the ledger has granted them, so that the key works at once. */
export async function openAccount(
  deps: OpenAccountDeps,
  { name, credits, starterCredits, operator }: OpenAccountInput,
): Promise<{ accountId: string; apiKey: string }> {
  const accountId = `acct_${uuidv7().replaceAll('-', '')}`
  const keyId = newKeyId()
  const apiKey = newKey(keyId)
  const at = deps.now()
  await deps.outbox.transaction(async (sql, send) => {
    await insertAccount(sql, accountId, name)
    await insertKey(sql, { id: keyId, accountId, name: 'first', ...storedSecret(apiKey, deps.pepper), expiresAt: null })
    await insertAuditEntry(sql, { operator, act: 'account_opened', accountId, subject: null })
    send([openedMessage(deps.topicPrefix, { accountId, name, at })])
    const grants = firstGrants(accountId, { credits, starterCredits, operator }, at)
    if (grants.length > 0) await insertChanges(sql, grants, send.fragment([]))
    send(grants.map(grant => changeMessage(deps.topicPrefix, grant)))
  })
  const end = performance.now() + visibleWithinMs
  while (credits > 0 && performance.now() < end && ((await deps.findBalance(accountId))?.available ?? 0) < credits) await pause(50)
  return { accountId, apiKey }
}

/** The ids follow from the account's, which is new. */
function firstGrants(accountId: string, { credits, starterCredits, operator }: Omit<OpenAccountInput, 'name'>, askedAt: Date): NewChange[] {
  const grant = { kind: 'grant' as const, accountId, operator, askedAt }
  return [
    { ...grant, id: `${accountId}:paid`, balance: 'paid' as const, credits, reason: 'account opened' },
    { ...grant, id: `${accountId}:starter`, balance: 'starter' as const, credits: starterCredits, reason: 'sign-up' },
  ].filter(({ credits }) => credits > 0)
}
