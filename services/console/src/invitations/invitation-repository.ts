import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Role } from '../accounts/roles'

export type NewInvitation = {
  id: string
  accountId: string
  email: string
  role: Role
  tokenHash: Buffer
  inviter: Inviter
  expiresAt: Date
}
export type Inviter = { id: string; email: string }
/** Neither accepted nor revoked; may have expired. */
export type OpenInvitation = { id: string; email: string; role: Role; invitedBy: string; createdAt: Date; expiresAt: Date }
export type ValidInvitation = { id: string; accountId: string; accountName: string; email: string; role: Role; invitedBy: string }

const isOpen = (sql: Sql | TransactionSql) => sql`accepted_at is null and revoked_at is null`

/** An earlier version stored only the inviter's address. */
const isInvitedBy = (sql: Sql | TransactionSql, { id, email }: Inviter) =>
  sql`(invited_by_id = ${id} or invited_by_id is null and invited_by = ${email})`

/** The inviter is still an owner of the account. */
const isInviterOwner = (sql: Sql | TransactionSql) => sql`exists (
  select from membership join person on person.id = membership.person_id
  where membership.account_id = invitation.account_id and membership.role = 'owner'
    and (person.id = invitation.invited_by_id or invitation.invited_by_id is null and person.email = invitation.invited_by))`

export const listInvitations = (sql: Sql | TransactionSql, accountId: string) =>
  sql<OpenInvitation[]>`
    select id, email, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"
    from invitation where account_id = ${accountId} and ${isOpen(sql)} order by created_at, id`

export async function insertInvitation(sql: TransactionSql, one: NewInvitation): Promise<void> {
  await sql`
    insert into invitation (id, account_id, email, role, token_hash, invited_by, invited_by_id, expires_at)
    values (${one.id}, ${one.accountId}, ${one.email}, ${one.role}, ${one.tokenHash}, ${one.inviter.email}, ${one.inviter.id}, ${one.expiresAt})`
}

/** Replaces the link and its inviter. Returns undefined if no such invitation is open. */
export async function replaceToken(
  sql: TransactionSql,
  { id, accountId, tokenHash, inviter, expiresAt }: Pick<NewInvitation, 'id' | 'accountId' | 'tokenHash' | 'inviter' | 'expiresAt'>,
): Promise<{ email: string; role: Role } | undefined> {
  const [row] = await sql<{ email: string; role: Role }[]>`
    update invitation set token_hash = ${tokenHash}, expires_at = ${expiresAt}, invited_by = ${inviter.email}, invited_by_id = ${inviter.id}
    where id = ${id} and account_id = ${accountId} and ${isOpen(sql)} returning email, role`
  return row
}

export async function markRevoked(sql: TransactionSql, { id, accountId }: { id: string; accountId: string }): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    update invitation set revoked_at = now() where id = ${id} and account_id = ${accountId} and ${isOpen(sql)} returning email`
  return row?.email
}

/** Revokes the open invitations of an inviter, in one account or in all, and returns them. */
export const revokeByInviter = (sql: TransactionSql, inviter: Inviter, accountId: string | null) =>
  sql<{ id: string; accountId: string; email: string }[]>`
    update invitation set revoked_at = now()
    where ${isInvitedBy(sql, inviter)} and ${isOpen(sql)} and (${accountId}::text is null or account_id = ${accountId})
    returning id, account_id as "accountId", email`

/** The invitation of a valid link, if its account is open. */
export async function findValidInvitation(sql: Sql, tokenHash: Buffer): Promise<ValidInvitation | undefined> {
  const [row] = await sql<ValidInvitation[]>`
    select invitation.id, account.id as "accountId", account.name as "accountName", invitation.email, invitation.role, invitation.invited_by as "invitedBy"
    from invitation join account on account.id = invitation.account_id
    where token_hash = ${tokenHash} and ${isOpen(sql)} and expires_at > now() and account.closed_at is null and ${isInviterOwner(sql)}`
  return row
}

/** False if another request accepted it first, or the link has expired. */
export async function markAccepted(sql: TransactionSql, id: string): Promise<boolean> {
  const rows = await sql`
    update invitation set accepted_at = now()
    where id = ${id} and ${isOpen(sql)} and expires_at > now() and ${isInviterOwner(sql)} returning id`
  return rows.length === 1
}
