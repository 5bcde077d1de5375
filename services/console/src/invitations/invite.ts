import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { uuidv7 } from 'uuidv7'
import { changeMembers } from '../accounts/change-members'
import type { Role } from '../accounts/roles'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { enforceLimit, type Limit } from '../limits/enforce-limit'
import { queueMail } from '../mail/queue-mail'
import { findPersonByEmail } from '../people/person-repository'
import { invitationMail } from './invitation-mail'
import { insertInvitation, listInvitations, markRevoked, replaceToken } from './invitation-repository'
import { hashToken, newToken } from './token'

export type InviteDeps = { sql: Sql; consoleUrl: string; now(): Date }
type ActorInput = { actor: Person; accountId: string }

const dayMs = 86_400_000
export const linkWorksDays = 7
const openMax = 50
/** Limits invitation mails per account, person and recipient, to prevent abuse for spam. */
const mailsLimit: Limit = { name: 'invitation mails by account', max: 30, windowMs: dayMs }
const personLimit: Limit = { name: 'invitation mails by person', max: 30, windowMs: dayMs }
const recipientLimit: Limit = { name: 'invitation mails by recipient', max: 5, windowMs: dayMs }

/** Sends an invitation, or returns why it can't be sent. */
export async function invite(
  deps: InviteDeps,
  { email, role, actor, accountId }: ActorInput & { email: string; role: Role },
): Promise<{ issue?: string }> {
  await enforceLimit(deps.sql, mailsLimit, accountId)
  const known = await findPersonByEmail(deps.sql, email)
  return changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async (sql, members) => {
    if (known && members.has(known.id)) return { issue: `${email} is already a member.` }
    const open = await listInvitations(sql, accountId)
    if (open.some(invitation => invitation.email === email))
      return { issue: `${email} is already invited. You can resend the invitation below.` }
    if (open.length >= openMax) return { issue: `At most ${openMax} invitations may be open. Revoke some.` }
    const id = uuidv7()
    const { token, tokenHash, expiresAt } = newLink(deps)
    await insertInvitation(sql, { id, accountId, email, role, tokenHash, inviter: actor, expiresAt })
    await sendLink(sql, deps, { actor, email, role, token })
    await insertAuditEntry(sql, actor, { accountId, action: 'invitation.sent', subject: id, details: { email, role } })
    return {}
  })
}

/** Sends a new link; the previous one stops working. */
export async function resendInvitation(deps: InviteDeps, { id, actor, accountId }: ActorInput & { id: string }): Promise<void> {
  await enforceLimit(deps.sql, mailsLimit, accountId)
  await changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    const { token, tokenHash, expiresAt } = newLink(deps)
    const invited = await replaceToken(sql, { id, accountId, tokenHash, inviter: actor, expiresAt })
    if (!invited) throw new Failure<Reason>('not_found')
    await sendLink(sql, deps, { actor, ...invited, token })
    await insertAuditEntry(sql, actor, { accountId, action: 'invitation.sent_again', subject: id, details: invited })
  })
}

export async function revokeInvitation({ sql }: InviteDeps, { id, actor, accountId }: ActorInput & { id: string }): Promise<void> {
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    const email = await markRevoked(sql, { id, accountId })
    if (email === undefined) throw new Failure<Reason>('not_found')
    await insertAuditEntry(sql, actor, { accountId, action: 'invitation.revoked', subject: id, details: { email } })
  })
}

function newLink({ now }: InviteDeps) {
  const token = newToken()
  return { token, tokenHash: hashToken(token) ?? Buffer.alloc(0), expiresAt: new Date(now().getTime() + linkWorksDays * dayMs) }
}

/** Counted in the transaction of the mail, so that a rejected mail doesn't count. */
async function sendLink(
  sql: TransactionSql,
  { consoleUrl }: InviteDeps,
  { actor, email, role, token }: Pick<ActorInput, 'actor'> & { email: string; role: Role; token: string },
): Promise<void> {
  await enforceLimit(sql, personLimit, actor.id)
  await enforceLimit(sql, recipientLimit, email)
  await queueMail(sql, invitationMail({ actor, email, role, url: `${consoleUrl}/invitations/${token}`, days: linkWorksDays }))
}
