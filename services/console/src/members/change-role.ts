import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { changeMembers } from '../accounts/change-members'
import { deleteMember, updateRole } from '../accounts/member-repository'
import type { Role } from '../accounts/roles'
import { insertAct } from '../acts/act-repository'
import { requireRecent } from '../auth/require-recent'
import type { Person } from '../door/person'
import type { Reason } from '../errors'

type Named = { actor: Person; accountId: string; personId: string }

/** An owner gives a member another role; the last owner keeps theirs. */
export async function changeRole({ sql }: { sql: Sql }, { actor, accountId, personId, role }: Named & { role: Role }): Promise<void> {
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async (sql, members) => {
    const former = members.get(personId)
    if (!former) throw new Failure<Reason>('not_found')
    if (former.role === role) return
    if (former.role === 'owner' || role === 'owner') await requireRecent({ sql }, actor)
    await updateRole(sql, accountId, personId, role)
    await insertAct(sql, actor, {
      accountId,
      act: 'member.role_changed',
      subject: personId,
      details: { email: former.email, from: former.role, to: role },
    })
  })
}

/** An owner removes a member, who from then on has no entry; whoever leaves does it themselves. */
export async function removeMember({ sql }: { sql: Sql }, { actor, accountId, personId }: Named): Promise<void> {
  const leaves = actor.id === personId
  await changeMembers(sql, { accountId, actorId: actor.id, needed: leaves ? 'viewer' : 'owner' }, async (sql, members) => {
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
  })
}
