import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { changeMembers } from '../accounts/change-members'
import { deleteMember, updateRole } from '../accounts/member-repository'
import type { Role } from '../accounts/roles'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { revokeInvitationsOf } from '../invitations/revoke-invitations-of'
import { revokeTemporaryKeysOfFormerOwner, type TemporaryKeyDeps } from '../try-it/revoke-temporary-keys'

type MemberInput = { actor: Person; accountId: string; personId: string }
type PreviousMember = { role: Role; email: string }

/** Changes a member's role. Only owners may do so, and the last owner keeps theirs. */
export async function changeRole(deps: TemporaryKeyDeps, input: MemberInput & { role: Role }): Promise<void> {
  const { actor, accountId, personId, role } = input
  const previous = await changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async (sql, members) => {
    const previous = members.get(personId)
    if (!previous) throw new Failure<Reason>('not_found')
    if (previous.role === role) return undefined
    if (previous.role === 'owner' || role === 'owner') await requireRecentSignIn({ sql }, actor)
    await updateRole(sql, accountId, personId, role)
    await insertAuditEntry(sql, actor, {
      accountId,
      action: 'member.role_changed',
      subject: personId,
      details: { email: previous.email, from: previous.role, to: role },
    })
    await revokeInvitationsOfOwner(sql, input, previous)
    return previous
  })
  if (previous?.role === 'owner') await revokeTemporaryKeysOfFormerOwner(deps, input)
}

/** Removes a member. Only owners may remove others; anyone may leave. */
export async function removeMember(deps: TemporaryKeyDeps, input: MemberInput): Promise<void> {
  const { actor, accountId, personId } = input
  const isLeaving = actor.id === personId
  const previous = await changeMembers(
    deps.sql,
    { accountId, actorId: actor.id, needed: isLeaving ? 'viewer' : 'owner' },
    async (sql, members) => {
      const previous = members.get(personId)
      if (!previous) throw new Failure<Reason>('not_found')
      if (previous.role === 'owner' && !isLeaving) await requireRecentSignIn({ sql }, actor)
      await deleteMember(sql, accountId, personId)
      await insertAuditEntry(sql, actor, {
        accountId,
        action: isLeaving ? 'member.left' : 'member.removed',
        subject: personId,
        details: { email: previous.email, role: previous.role },
      })
      await revokeInvitationsOfOwner(sql, input, previous)
      return previous
    },
  )
  if (previous.role === 'owner') await revokeTemporaryKeysOfFormerOwner(deps, input)
}

async function revokeInvitationsOfOwner(
  sql: TransactionSql,
  { actor, accountId, personId }: MemberInput,
  { role, email }: PreviousMember,
): Promise<void> {
  if (role === 'owner') await revokeInvitationsOf(sql, { actor, inviter: { id: personId, email }, accountId })
}
