import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type SolelyOwnedAccount = { accountId: string; accountName: string }

/** Open accounts whose only owner is this person. */
export const listSolelyOwnedAccounts = (sql: Sql | TransactionSql, personId: string) =>
  sql<SolelyOwnedAccount[]>`
    select account.id as "accountId", account.name as "accountName" from membership own join account on account.id = own.account_id
    where own.person_id = ${personId} and own.role = 'owner' and account.closed_at is null and not exists (
      select from membership other where other.account_id = account.id and other.role = 'owner' and other.person_id <> ${personId})
    order by account.name, account.id`

/**
 * Locks the person, then their accounts, so that members can't change meanwhile. Returns the ids of the open accounts.
 */
export async function lockPersonAndAccounts(sql: TransactionSql, personId: string): Promise<string[]> {
  await sql`select id from person where id = ${personId} for update`
  const rows = await sql<{ id: string }[]>`
    select account.id from account where closed_at is null and id in (select account_id from membership where person_id = ${personId})
    order by account.id for no key update`
  return rows.map(({ id }) => id)
}

/** The person's current and previous addresses, without those that belong to somebody else now. */
export async function listAddresses(sql: TransactionSql, personId: string): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select lower(email) as address from person where id = ${personId}
    union
    select lower(had.value) from audit_act, jsonb_each_text(details) as had
    where person_id = ${personId} and act = 'person.email_changed' and had.key in ('from', 'to')
      and not exists (select from person other where other.email = lower(had.value) and other.id <> ${personId})`
  return rows.map(({ address }) => address)
}

type ErasedPerson = { personId: string; addresses: string[]; pseudonym: string }

/** Replaces the person's addresses and names in the audit log with `pseudonym` and removes their IP addresses. */
export async function eraseFromAuditLog(sql: TransactionSql, { personId, addresses, pseudonym }: ErasedPerson): Promise<void> {
  await sql`update audit_act set person_email = ${pseudonym}, address = null where person_id = ${personId}`
  await sql`
    update audit_act set details = details || jsonb_build_object('from', ${pseudonym}::text, 'to', ${pseudonym}::text)
    where person_id = ${personId} and act in ('person.email_changed', 'person.renamed')`
  await sql`
    update audit_act set details = details - '{device,device_address}'::text[]
    where person_id = ${personId} and act = 'device_login.approved'`
  await sql`
    update audit_act set details = jsonb_set(details, '{email}', to_jsonb(${pseudonym}::text)) where lower(details ->> 'email') = any(${addresses})`
}

/** Deletes invitations of these addresses and replaces the person's address in those they sent. */
export async function eraseFromInvitations(sql: TransactionSql, { personId, addresses, pseudonym }: ErasedPerson): Promise<void> {
  await sql`delete from invitation where email = any(${addresses})`
  await sql`
    update invitation set invited_by = ${pseudonym}
    where invited_by_id = ${personId} or invited_by_id is null and lower(invited_by) = any(${addresses})`
}

/** Deletes mails to these addresses. Other people's mails are sent, with `pseudonym` in place of an address. */
export async function eraseFromMails(sql: TransactionSql, { addresses, pseudonym }: ErasedPerson): Promise<void> {
  // Without an address, as in a deletion that runs twice, the pattern would match everything.
  if (addresses.length === 0) return
  await sql`delete from mail where lower(recipient) = any(${addresses})`
  const pattern = addresses.map(wholeAddressPattern).join('|')
  await sql`
    update mail set subject = regexp_replace(subject, ${pattern}, ${pseudonym}, 'gi'),
      body_text = regexp_replace(body_text, ${pattern}, ${pseudonym}, 'gi'), body_html = regexp_replace(body_html, ${pattern}, ${pseudonym}, 'gi')
    where concat_ws(' ', subject, body_text, body_html) ~* ${pattern}`
}

/** Matches an address in a text or in its HTML, but not as a part of a longer address. */
const wholeAddressPattern = (address: string): string => {
  const literal = address.replaceAll(/[^\p{L}\p{N}@]/gu, '\\$&').replaceAll("\\'", "(?:'|&#39;)")
  return `(?<![[:alnum:]_'+.-]|&#39;)${literal}(?![[:alnum:]-]|\\.[[:alnum:]])`
}

/** Sessions, passwords, passkeys and memberships are deleted with the person's row. */
export const deletePersonRow = (sql: TransactionSql, personId: string) => sql`delete from person where id = ${personId}`

/** Short lists, read completely. Credentials are named, without their secrets. */
export async function listPersonalRows(sql: Sql, personId: string): Promise<object[]> {
  const lists = await Promise.all([
    sql`
      select 'person' as type, id, name, email, email_verified as "emailVerified", two_factor_enabled as "secondFactor", created_at as "createdAt"
      from person where id = ${personId}`,
    sql`
      select 'membership' as type, account_id as "accountId", account.name as "accountName", role, membership.created_at as since
      from membership join account on account.id = account_id where person_id = ${personId} order by membership.created_at`,
    sql`
      select 'invitation' as type, account_id as "accountId", invitation.role, invitation.created_at as "createdAt", expires_at as "expiresAt",
        accepted_at as "acceptedAt", revoked_at as "revokedAt"
      from invitation join person on person.email = invitation.email where person.id = ${personId} order by invitation.created_at`,
    sql`
      select 'mail choice' as type, account_id as "accountId", task_ended as "taskEnded", low_balance_credits as "lowBalanceCredits", warnings from mail_choice
      where person_id = ${personId} order by account_id`,
    sql`
      select 'session' as type, created_at as "createdAt", ip_address as address, user_agent as "userAgent" from session
      where person_id = ${personId} order by created_at`,
    sql`
      select 'credential' as type, provider_id as provider, created_at as "createdAt" from credential where person_id = ${personId} order by created_at`,
    sql`select 'passkey' as type, name, device_type as device, created_at as "createdAt" from passkey where person_id = ${personId} order by created_at`,
    sql`
      select 'mail' as type, subject, mail.created_at as "createdAt", sent_at as "sentAt" from mail join person on person.email = recipient
      where person.id = ${personId} order by mail.created_at`,
    sql`
      select 'purchase' as type, id, account_id as "accountId", pack_name as "packName", credits, amount, currency, state, created_at as "createdAt"
      from purchase where person_id = ${personId} order by id`,
  ])
  return lists.flatMap(rows => [...rows])
}

export const listPersonalAuditEntries = (sql: Sql, personId: string, { beforeId, limit }: { beforeId: number | null; limit: number }) =>
  sql<{ id: number }[]>`
    select id, account_id as "accountId", act, subject, details, address, at from audit_act
    where person_id = ${personId} and (${beforeId}::bigint is null or id < ${beforeId}) order by id desc limit ${limit}`
