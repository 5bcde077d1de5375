import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Role } from '../accounts/roles'

type NewDeviceLogin = {
  deviceCodeHash: Buffer
  userCode: string
  deviceName: string
  address: string
  intervalSeconds: number
  lifeSeconds: number
}

/** False if the user code is taken. */
export async function insertDeviceLogin(sql: Sql, login: NewDeviceLogin): Promise<boolean> {
  const { deviceCodeHash, userCode, deviceName, address, intervalSeconds, lifeSeconds } = login
  const { count } = await sql`
    insert into device_login (device_code_hash, user_code, device_name, address, interval_seconds, expires_at)
    values (${deviceCodeHash}, ${userCode}, ${deviceName}, ${address}, ${intervalSeconds}, now() + ${lifeSeconds} * interval '1 second')
    on conflict (user_code) do nothing`
  return count === 1
}

export type PendingDeviceLogin = { userCode: string; deviceName: string; address: string; createdAt: Date }

/** One that waits for a person; undefined if it was answered, has expired or never was. */
export async function findPendingDeviceLogin(sql: Sql, userCode: string): Promise<PendingDeviceLogin | undefined> {
  const [row] = await sql<PendingDeviceLogin[]>`
    select user_code as "userCode", device_name as "deviceName", address, created_at as "createdAt"
    from device_login where user_code = ${userCode} and state = 'pending' and expires_at > now()`
  return row
}

type Approval = { userCode: string; personId: string; accountId: string; keyName: string; keyExpiresAt: Date | null }

/** False if it waits for nobody any more. */
export async function approvePending(sql: TransactionSql, approval: Approval): Promise<boolean> {
  const { userCode, personId, accountId, keyName, keyExpiresAt } = approval
  const { count } = await sql`
    update device_login
    set state = 'approved', person_id = ${personId}, account_id = ${accountId}, key_name = ${keyName}, key_expires_at = ${keyExpiresAt}
    where user_code = ${userCode} and state = 'pending' and expires_at > now()`
  return count === 1
}

/** False if it waits for nobody any more. */
export async function denyPending(sql: Sql, userCode: string): Promise<boolean> {
  const { count } = await sql`
    update device_login set state = 'denied' where user_code = ${userCode} and state = 'pending' and expires_at > now()`
  return count === 1
}

export type Poll = { state: 'pending' | 'approved' | 'denied' | 'used'; isExpired: boolean; isTooFast: boolean }

/** Records a poll. One that comes before its interval lengthens the interval, up to `intervalSecondsMax`. */
export async function recordPoll(
  sql: Sql,
  deviceCodeHash: Buffer,
  { stepSeconds, intervalSecondsMax }: { stepSeconds: number; intervalSecondsMax: number },
): Promise<Poll | undefined> {
  const [row] = await sql<Poll[]>`
    with former as (
      select device_code_hash, coalesce(polled_at > now() - interval_seconds * interval '1 second', false) as "isTooFast"
      from device_login where device_code_hash = ${deviceCodeHash} for update)
    update device_login login set polled_at = now(),
      interval_seconds = case when "isTooFast" then least(interval_seconds + ${stepSeconds}, ${intervalSecondsMax}) else interval_seconds end
    from former where login.device_code_hash = former.device_code_hash
    returning login.state, login.expires_at <= now() as "isExpired", "isTooFast"`
  return row
}

/** `role`: what the person has now in the account; null if they or the account left. */
export type ClaimedDeviceLogin = {
  personId: string
  email: string
  accountId: string
  accountName: string
  role: Role | null
  deviceName: string
  keyName: string
  keyExpiresAt: Date | null
}

/** Takes an approved login, for one caller alone, whatever calls at once. */
export async function claimApproved(sql: Sql, deviceCodeHash: Buffer): Promise<ClaimedDeviceLogin | undefined> {
  const [row] = await sql<ClaimedDeviceLogin[]>`
    update device_login login set state = 'used' from person, account
    where device_code_hash = ${deviceCodeHash} and state = 'approved' and login.expires_at > now()
      and person.id = login.person_id and account.id = login.account_id
    returning login.person_id as "personId", person.email, login.account_id as "accountId", account.name as "accountName",
      login.device_name as "deviceName", login.key_name as "keyName", login.key_expires_at as "keyExpiresAt",
      (select role from membership where membership.account_id = account.id and membership.person_id = person.id and account.closed_at is null) as role`
  return row
}

/** Ends a claimed login for which no key is made. */
export const refuseClaimed = (sql: Sql, deviceCodeHash: Buffer) =>
  sql`update device_login set state = 'denied' where device_code_hash = ${deviceCodeHash} and state = 'used'`

export const deleteDeviceLoginsBefore = (sql: Sql, before: Date) => sql`delete from device_login where expires_at < ${before}`
