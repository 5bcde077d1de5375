import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { uuidv7 } from 'uuidv7'
import { changeMembers } from '../accounts/change-members'
import type { Role } from '../accounts/roles'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { type Limit, takeTry } from '../limits/take-try'
import { queueMail } from '../mail/queue-mail'
import { findPersonByEmail } from '../people/person-repository'
import { invitationMail } from './invitation-mail'
import { insertInvitation, listInvitations, markRevoked, replaceToken } from './invitation-repository'
import { hashToken, newToken } from './token'

export type InviteDeps = { sql: Sql; consoleUrl: string; now(): Date }
type Acting = { actor: Person; accountId: string }

const dayMs = 86_400_000
export const linkWorksDays = 7
const openMax = 50
/** Mails that an account, or a person with however many accounts, may have sent: nobody is written to at a stranger's will for long. */
const mailsLimit: Limit = { name: 'invitation mails by account', max: 30, windowMs: dayMs }
const personLimit: Limit = { name: 'invitation mails by person', max: 30, windowMs: dayMs }
const recipientLimit: Limit = { name: 'invitation mails by recipient', max: 5, windowMs: dayMs }

/** Sends an invitation; what stands against it is said instead. */
export async function invite(
  deps: InviteDeps,
  { email, role, actor, accountId }: Acting & { email: string; role: Role },
): Promise<{ issue?: string }> {
  await takeTry(deps.sql, mailsLimit, accountId)
  const known = await findPersonByEmail(deps.sql, email)
  return changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async (sql, members) => {
    if (known && members.has(known.id)) return { issue: `${email} is a member already.` }
    const open = await listInvitations(sql, accountId)
    if (open.some(invitation => invitation.email === email)) return { issue: `${email} is invited already. Send it again below.` }
    if (open.length >= openMax) return { issue: `At most ${openMax} invitations may be open. Revoke some.` }
    const id = uuidv7()
    const { token, tokenHash, expiresAt } = newLink(deps)
    await insertInvitation(sql, { id, accountId, email, role, tokenHash, inviter: actor, expiresAt })
    await sendLink(sql, deps, { actor, email, role, token })
    await insertAct(sql, actor, { accountId, act: 'invitation.sent', subject: id, details: { email, role } })
    return {}
  })
}

/** Another mail with another link; the one before ends. */
export async function sendAgain(deps: InviteDeps, { id, actor, accountId }: Acting & { id: string }): Promise<void> {
  await takeTry(deps.sql, mailsLimit, accountId)
  await changeMembers(deps.sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    const { token, tokenHash, expiresAt } = newLink(deps)
    const invited = await replaceToken(sql, { id, accountId, tokenHash, inviter: actor, expiresAt })
    if (!invited) throw new Failure<Reason>('not_found')
    await sendLink(sql, deps, { actor, ...invited, token })
    await insertAct(sql, actor, { accountId, act: 'invitation.sent_again', subject: id, details: invited })
  })
}

export async function revokeInvitation({ sql }: InviteDeps, { id, actor, accountId }: Acting & { id: string }): Promise<void> {
  await changeMembers(sql, { accountId, actorId: actor.id, needed: 'owner' }, async sql => {
    const email = await markRevoked(sql, { id, accountId })
    if (email === undefined) throw new Failure<Reason>('not_found')
    await insertAct(sql, actor, { accountId, act: 'invitation.revoked', subject: id, details: { email } })
  })
}

function newLink({ now }: InviteDeps) {
  const token = newToken()
  return { token, tokenHash: hashToken(token) ?? Buffer.alloc(0), expiresAt: new Date(now().getTime() + linkWorksDays * dayMs) }
}

/** Counted with the mail: a mail that is refused is none of those that were sent. */
async function sendLink(
  sql: TransactionSql,
  { consoleUrl }: InviteDeps,
  { actor, email, role, token }: Pick<Acting, 'actor'> & { email: string; role: Role; token: string },
): Promise<void> {
  await takeTry(sql, personLimit, actor.id)
  await takeTry(sql, recipientLimit, email)
  await queueMail(sql, invitationMail({ actor, email, role, url: `${consoleUrl}/invitations/${token}`, days: linkWorksDays }))
}
