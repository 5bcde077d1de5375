import type { Sql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import { enforceLimit } from '../limits/enforce-limit'
import { deviceLoginLimits } from '../limits/limits'
import { sanitizeName } from '../people/name'
import { hashDeviceCode, newDeviceCode, newUserCode } from './codes'
import { insertDeviceLogin } from './device-login-repository'

export const lifeSeconds = 600
export const intervalSeconds = 5

/** Leaves room for “CLI on …” in a key's name. */
const deviceNameLengthMax = 60
const triesMax = 5

type OpenedDeviceLogin = { deviceCode: string; userCode: string }

/** Opens a login for a caller that nobody knows. Throws `too_many` beyond the limits of its address and of all. */
export async function openDeviceLogin(
  { sql }: { sql: Sql },
  { deviceName, address }: { deviceName: string; address: string },
): Promise<OpenedDeviceLogin> {
  await enforceLimit(sql, deviceLoginLimits.openedAddress, address)
  await enforceLimit(sql, deviceLoginLimits.openedAll, 'all')
  const deviceCode = newDeviceCode()
  const login = {
    deviceCodeHash: hashDeviceCode(deviceCode),
    deviceName: readDeviceName(deviceName),
    address,
    intervalSeconds,
    lifeSeconds,
  }
  for (let tries = 0; tries < triesMax; tries++) {
    const userCode = newUserCode()
    if (await insertDeviceLogin(sql, { ...login, userCode })) return { deviceCode, userCode }
  }
  invariant(false, `${triesMax} user codes in a row are taken`)
}

/** One line without links and control characters, because a person reads it and a key is named after it. */
const readDeviceName = (text: string): string => [...sanitizeName(text)].slice(0, deviceNameLengthMax).join('').trim()
