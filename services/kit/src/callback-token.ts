import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from './environment/secrets'

/** An attempt at the provider that its callback address was given to. */
export type CalledBackAttempt = { provider: string; attemptId: string }

const codedForm = /^(at_[0-9a-f]{32})-([A-Za-z0-9_-]{22})$/

/** The end of the address that a provider calls back: the attempt's id, and 128 bits that only who has the secret can make for it. */
export const callbackToken = (secret: string, attempt: CalledBackAttempt): string => `${attempt.attemptId}-${codeOf(secret, attempt)}`

/** The parts of such a token; undefined where it has another form, as those of versions before this code. Nothing is checked yet. */
export function readCallbackToken(token: string): { attemptId: string; code: string } | undefined {
  const [, attemptId, code] = codedForm.exec(token) ?? []
  return attemptId && code ? { attemptId, code } : undefined
}

/** Whether the code was made with one of the secrets. */
export const isCodeOf = (secrets: Secrets, attempt: CalledBackAttempt, code: string): boolean =>
  secrets.filter(secret => timingSafeEqual(Buffer.from(codeOf(secret, attempt)), Buffer.from(code))).length > 0

/** The ids of attempts are made with the same secret, of texts that begin with `vt_`. */
const codeOf = (secret: string, { provider, attemptId }: CalledBackAttempt): string =>
  createHmac('sha256', secret).update(`callback ${provider} ${attemptId}`).digest().subarray(0, 16).toString('base64url')
