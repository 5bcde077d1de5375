import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { updateName } from '../accounts/account-change-repository'
import { changeMembers } from '../accounts/change-members'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import type { Person } from '../http/person'

export type AccountChangeDeps = { sql: Sql; gateway: Gateway }

/** Renames the account at the gateway first, where the request is idempotent. */
export async function renameAccount(
  { sql, gateway }: AccountChangeDeps,
  { actor, accountId, from, to }: { actor: Person; accountId: string; from: string; to: string },
): Promise<void> {
  if (from === to) return
  requireSuccess(await gateway.request(actor, { method: 'PUT', path: `/accounts/${accountId}`, body: { name: to } }))
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    await updateName(sql, accountId, to)
    await insertAuditEntry(sql, actor, { accountId, action: 'account.renamed', subject: accountId, details: { from, to } })
  })
}

export function requireSuccess(answer: GatewayResult<unknown>): void {
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
}
