import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { deviceLoginLimits } from '../limits/limits'
import { readUserCode } from './codes'
import { approvePending, denyPending, findPendingDeviceLogin, type PendingDeviceLogin } from './device-login-repository'

type Deps = { sql: Sql }
type TypedCode = { person: Person; text: string }

/**
 * The pending login of a code that a person typed. Right codes count against the limits too: otherwise somebody could tell
 * by them whether the limit is reached, and guess in parallel before it is. Throws `too_many`.
 */
export async function findTypedLogin({ sql }: Deps, { person, text }: TypedCode): Promise<PendingDeviceLogin | undefined> {
  const userCode = readUserCode(text)
  if (userCode === undefined) return undefined
  await enforceLimit(sql, deviceLoginLimits.typedPerson, person.id)
  if (person.address !== null) await enforceLimit(sql, deviceLoginLimits.typedAddress, person.address)
  return await findPendingDeviceLogin(sql, userCode)
}

type Approval = { person: Person; login: PendingDeviceLogin; accountId: string; keyName: string; keyExpiresAt: Date | null }

/** Lets the caller take a key of this account. No key exists before it does. False if it was answered meanwhile. */
export async function approveDeviceLogin({ sql }: Deps, { person, login, accountId, keyName, keyExpiresAt }: Approval): Promise<boolean> {
  return (await sql.begin(async sql => {
    const { userCode, deviceName, address } = login
    const isApproved = await approvePending(sql, { userCode, personId: person.id, accountId, keyName, keyExpiresAt })
    if (isApproved)
      await insertAuditEntry(sql, person, {
        accountId,
        action: 'device_login.approved',
        details: { name: keyName, device: deviceName, device_address: address },
      })
    return isApproved
  })) as boolean
}

/** False if it was answered meanwhile. */
export const denyDeviceLogin = ({ sql }: Deps, { userCode }: PendingDeviceLogin): Promise<boolean> => denyPending(sql, userCode)
