import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { changeMembers } from '../accounts/change-members'
import { deleteMember, updateRole } from '../accounts/member-repository'
import type { Role } from '../accounts/roles'
import { insertAct } from '../acts/act-repository'
import { requireRecent } from '../auth/require-recent'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of'
import { type LentDeps, revokeLentKeysOfFormer } from '../try-it/revoke-lent-keys'

type Named = { actor: Person; accountId: string; personId: string }
type Former = { role: Role; email: string }

/** An owner gives a member another role; the last owner keeps theirs. */
export async function changeRole(deps: LentDeps, named: Named & { role: Role }): Promise<void> {
  const { actor, accountId, personId, role } = named
  const former = await changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async (sql, members) => {
    const former = members.get(personId)
    if (!former) throw new Failure<Reason>('not_found')
    if (former.role === role) return undefined
    if (former.role === 'owner' || role === 'owner') await requireRecent({ sql }, actor)
    await updateRole(sql, accountId, personId, role)
    await insertAct(sql, actor, {
      accountId,
      act: 'member.role_changed',
      subject: personId,
      details: { email: former.email, from: former.role, to: role },
    })
    await endWhatOwnersSent(sql, named, former)
    return former
  })
  if (former?.role === 'owner') await revokeLentKeysOfFormer(deps, named)
}

/** An owner removes a member, who from then on has no entry; whoever leaves does it themselves. */
export async function removeMember(deps: LentDeps, named: Named): Promise<void> {
  const { actor, accountId, personId } = named
  const leaves = actor.id === personId
  const former = await changeMembers(
    deps.sql,
    { accountId, actorId: actor.id, needed: leaves ? 'viewer' : 'owner' },
    async (sql, members) => {
      const former = members.get(personId)
      if (!former) throw new Failure<Reason>('not_found')
      if (former.role === 'owner' && !leaves) await requireRecent({ sql }, actor)
      await deleteMember(sql, accountId, personId)
      await insertAct(sql, actor, {
        accountId,
        act: leaves ? 'member.left' : 'member.removed',
        subject: personId,
        details: { email: former.email, role: former.role },
      })
      await endWhatOwnersSent(sql, named, former)
      return former
    },
  )
  if (former.role === 'owner') await revokeLentKeysOfFormer(deps, named)
}

async function endWhatOwnersSent(sql: TransactionSql, { actor, accountId, personId }: Named, { role, email }: Former): Promise<void> {
  if (role === 'owner') await revokeInvitationsOf(sql, { actor, inviter: { id: personId, email }, accountId })
}
