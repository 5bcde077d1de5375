import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { updateName } from '../accounts/account-change-repository'
import { changeMembers } from '../accounts/change-members'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import type { Answered, Gateway } from '../gateway/gateway'

export type SettingsVerbDeps = { sql: Sql; gateway: Gateway }

/** Renames it at the gateway first, where saying the same again changes nothing. */
export async function renameAccount(
  { sql, gateway }: SettingsVerbDeps,
  { actor, accountId, from, to }: { actor: Person; accountId: string; from: string; to: string },
): Promise<void> {
  if (from === to) return
  throwUnlessDone(await gateway.ask(actor, { method: 'PUT', path: `/accounts/${accountId}`, body: { name: to } }))
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    await updateName(sql, accountId, to)
    await insertAct(sql, actor, { accountId, act: 'account.renamed', subject: accountId, details: { from, to } })
  })
}

export function throwUnlessDone(answer: Answered<unknown>): void {
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
}
