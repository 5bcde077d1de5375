import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Role } from '../accounts/roles'

export type NewInvitation = {
  id: string
  accountId: string
  email: string
  role: Role
  tokenHash: Buffer
  invitedBy: string
  expiresAt: Date
}
/** One that was neither accepted nor revoked; it may have expired. */
export type OpenInvitation = { id: string; email: string; role: Role; invitedBy: string; createdAt: Date; expiresAt: Date }
export type Invited = { id: string; accountId: string; accountName: string; email: string; role: Role; invitedBy: string }

const isOpen = (sql: Sql | TransactionSql) => sql`accepted_at is null and revoked_at is null`

export const listInvitations = (sql: Sql | TransactionSql, accountId: string) =>
  sql<OpenInvitation[]>`
    select id, email, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"
    from invitation where account_id = ${accountId} and ${isOpen(sql)} order by created_at, id`

export async function insertInvitation(sql: TransactionSql, one: NewInvitation): Promise<void> {
  await sql`
    insert into invitation (id, account_id, email, role, token_hash, invited_by, expires_at)
    values (${one.id}, ${one.accountId}, ${one.email}, ${one.role}, ${one.tokenHash}, ${one.invitedBy}, ${one.expiresAt})`
}

/** Another link takes the place of the one before; undefined where there is none that is open. */
export async function replaceToken(
  sql: TransactionSql,
  { id, accountId, tokenHash, expiresAt }: Pick<NewInvitation, 'id' | 'accountId' | 'tokenHash' | 'expiresAt'>,
): Promise<{ email: string; role: Role } | undefined> {
  const [row] = await sql<{ email: string; role: Role }[]>`
    update invitation set token_hash = ${tokenHash}, expires_at = ${expiresAt}
    where id = ${id} and account_id = ${accountId} and ${isOpen(sql)} returning email, role`
  return row
}

export async function markRevoked(sql: TransactionSql, { id, accountId }: { id: string; accountId: string }): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    update invitation set revoked_at = now() where id = ${id} and account_id = ${accountId} and ${isOpen(sql)} returning email`
  return row?.email
}

/** The invitation of a link that still works, into an account that is still there. */
export async function findInvited(sql: Sql, tokenHash: Buffer): Promise<Invited | undefined> {
  const [row] = await sql<Invited[]>`
    select invitation.id, account.id as "accountId", account.name as "accountName", invitation.email, invitation.role, invitation.invited_by as "invitedBy"
    from invitation join account on account.id = invitation.account_id
    where token_hash = ${tokenHash} and ${isOpen(sql)} and expires_at > now() and account.closed_at is null`
  return row
}

/** False where another request was first, or the link has ended meanwhile. */
export async function markAccepted(sql: TransactionSql, id: string): Promise<boolean> {
  const rows = await sql`update invitation set accepted_at = now() where id = ${id} and ${isOpen(sql)} and expires_at > now() returning id`
  return rows.length === 1
}

export const deleteInvitationsOf = (sql: TransactionSql, email: string) => sql`delete from invitation where email = ${email}`
