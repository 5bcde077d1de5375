import { invariant } from '@filmgate/kit/failure'
import type { Draft } from '../batch/draft'
import type { GrantCredits } from '../batch/instruction'
import { grantEntries } from '../entry/entry'

/** Adds granted credits to a balance, once for the grant's id. */
export function grantCredits(draft: Draft, { grant, traceparent }: GrantCredits): void {
  if (draft.grants.has(grant.id)) return
  const account = draft.accounts.get(grant.accountId)
  invariant(account, `the account of grant ${grant.id} is open`)
  const field = grant.balance === 'paid' ? 'available' : 'starter'
  draft.accounts.set(account.id, { ...account, [field]: account[field] + grant.credits, balanceVersion: account.balanceVersion + 1 })
  draft.grants.set(grant.id, grant)
  draft.entries.push(...grantEntries(grant))
  draft.untold.set(account.id, traceparent)
}
