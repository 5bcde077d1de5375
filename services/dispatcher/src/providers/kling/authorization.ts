import { createHmac } from 'node:crypto'

/** An access key and its secret key, which Kling's console gave before it gave API keys. */
const pairForm = /^([A-Za-z0-9]{8,}):([A-Za-z0-9]{8,})$/
const livesSeconds = 1_800
/** Clocks differ: a token holds from a little before it was made. */
const earlierSeconds = 5

/**
 * The header of one call: kling.ai/document-api/api/get-started/authentication. An API key goes as it is. For a pair each call has a token of
 * its own, a JWT that the secret key signs: one lives half an hour. API 2.0 answers those with 401 (seen live).
 */
export function authorizationOf(key: string, nowMs: number): string {
  const [, accessKey, secretKey] = pairForm.exec(key) ?? []
  return `Bearer ${accessKey && secretKey ? signed(accessKey, secretKey, Math.floor(nowMs / 1_000)) : key}`
}

function signed(accessKey: string, secretKey: string, now: number): string {
  const head = part({ alg: 'HS256', typ: 'JWT' })
  const claims = part({ iss: accessKey, exp: now + livesSeconds, nbf: now - earlierSeconds })
  return `${head}.${claims}.${createHmac('sha256', secretKey).update(`${head}.${claims}`).digest('base64url')}`
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
