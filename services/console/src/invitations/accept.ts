import type { Sql } from '@filmgate/kit/database/postgres'
import { insertMember, lockMembers } from '../accounts/member-repository'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { findInvited, type Invited, markAccepted } from './invitation-repository'
import { hashToken } from './token'

/** An invitation is for whoever has confirmed the address it was sent to; the link alone lets nobody in. */
export const isFor = ({ email }: Invited, person: Person): boolean => person.emailVerified && person.email.toLowerCase() === email

export async function findByToken(sql: Sql, token: string): Promise<Invited | undefined> {
  const hash = hashToken(token)
  return hash && findInvited(sql, hash)
}

/** Makes the person a member. False where the invitation ended meanwhile. */
export async function accept({ sql }: { sql: Sql }, person: Person, { id, accountId, role }: Invited): Promise<boolean> {
  return sql.begin(async sql => {
    const members = await lockMembers(sql, accountId)
    if (!members || !(await markAccepted(sql, id))) return false
    await insertMember(sql, accountId, person.id, role)
    await insertAct(sql, person, {
      accountId,
      act: 'member.joined',
      subject: person.id,
      details: { role: members.get(person.id)?.role ?? role },
    })
    return true
  })
}
