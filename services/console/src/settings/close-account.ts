import { Failure } from '@filmgate/kit/failure'
import { markClosed } from '../accounts/account-change-repository'
import { changeMembers } from '../accounts/change-members'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { endCheckouts } from '../billing/purchases/end-checkouts'
import { lockUngranted } from '../billing/purchases/purchase-repository'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { type AccountChangeDeps, requireSuccess } from './rename-account'

/**
 * Deletes an account permanently: the gateway revokes its keys and accepts no more generations, then all access ends.
 * If the gateway is unreachable nothing changes. Its purchases are locked meanwhile: a paid purchase must be granted
 * first, and a later payment finds the account closed and goes to review.
 */
export async function closeAccount(
  { sql, gateway }: AccountChangeDeps,
  { actor, accountId, name }: { actor: Person; accountId: string; name: string },
): Promise<void> {
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    if ((await lockUngranted(sql, accountId)).includes('paid')) throw new Failure<Reason>('credits_on_their_way')
    const answer = await gateway.request(actor, { method: 'DELETE', path: `/accounts/${accountId}` })
    // 404: the gateway never knew the account, so there is nothing to end.
    if (answer.ok || answer.status !== 404) requireSuccess(answer)
    await markClosed(sql, accountId)
    await endCheckouts(sql, accountId)
    await insertAuditEntry(sql, actor, { accountId, action: 'account.closed', subject: accountId, details: { name } })
  })
}
