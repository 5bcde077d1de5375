import type { Sql } from '@filmgate/kit/database/postgres'
import { insertMember, lockMembers } from '../accounts/member-repository'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { findValidInvitation, markAccepted, type ValidInvitation } from './invitation-repository'
import { hashToken } from './token'

/** An invitation is valid only for the confirmed address that it was sent to. The link alone is not enough. */
export const isInvitee = ({ email }: ValidInvitation, person: Person): boolean =>
  person.emailVerified && person.email.toLowerCase() === email

export async function findByToken(sql: Sql, token: string): Promise<ValidInvitation | undefined> {
  const hash = hashToken(token)
  return hash && findValidInvitation(sql, hash)
}

/** Makes the person a member. Returns false if the invitation has ended in the meantime. */
export async function accept({ sql }: { sql: Sql }, person: Person, { id, accountId, role }: ValidInvitation): Promise<boolean> {
  return sql.begin(async sql => {
    const members = await lockMembers(sql, accountId)
    if (!members || !(await markAccepted(sql, id))) return false
    await insertMember(sql, accountId, person.id, role)
    await insertAuditEntry(sql, person, {
      accountId,
      action: 'member.joined',
      subject: person.id,
      details: { role: members.get(person.id)?.role ?? role },
    })
    return true
  })
}
