import { Failure } from '@filmgate/kit/failure'
import { markClosed } from '../accounts/account-change-repository'
import { changeMembers } from '../accounts/change-members'
import { insertAct } from '../acts/act-repository'
import { endCheckouts } from '../billing/purchases/end-checkouts'
import { lockUngranted } from '../billing/purchases/purchase-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { type SettingsVerbDeps, throwUnlessDone } from './rename-account'

/**
 * Deletes an account for good: the gateway revokes its keys and takes no more generations, then nobody enters it. Where the gateway can't be
 * reached nothing is changed here, and it can be asked for again. Its purchases are locked meanwhile: what is paid already is waited for, and
 * what arrives now finds the account closed, so that no credits are granted to nobody.
 */
export async function closeAccount(
  { sql, gateway }: SettingsVerbDeps,
  { actor, accountId, name }: { actor: Person; accountId: string; name: string },
): Promise<void> {
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    if ((await lockUngranted(sql, accountId)).includes('paid')) throw new Failure<Reason>('credits_on_their_way')
    const answer = await gateway.ask(actor, { method: 'DELETE', path: `/accounts/${accountId}` })
    // One that the gateway was never told of has nothing there to end.
    if (answer.ok || answer.status !== 404) throwUnlessDone(answer)
    await markClosed(sql, accountId)
    await endCheckouts(sql, accountId)
    await insertAct(sql, actor, { accountId, act: 'account.closed', subject: accountId, details: { name } })
  })
}
