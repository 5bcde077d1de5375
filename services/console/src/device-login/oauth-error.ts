import { isTransient } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'

/** RFC 6749, 5.2, and RFC 8628, 3.5. */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
} as const

export type OAuthErrorCode = keyof typeof statuses

/** A refusal in the form of RFC 6749: `{"error": …, "error_description": …}`. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
  ) {
    super(code)
  }
}

type Settable = { status?: number | string; headers: Record<string, string | number> }
type ErrorBody = { error: string; error_description: string }

const retrySeconds = 5

/** Runs a handler and answers its errors in the form of RFC 6749. Throws what is neither a refusal nor passing. */
export async function answerOAuth<T>(set: Settable, work: () => Promise<T>): Promise<T | ErrorBody> {
  Object.assign(set.headers, { 'cache-control': 'no-store', pragma: 'no-cache' })
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    const { status, retryAfterSeconds, code, description } = refusal
    set.status = status
    if (retryAfterSeconds !== undefined) set.headers['retry-after'] = String(retryAfterSeconds)
    return { error: code, error_description: plain(description) }
  }
}

type Refusal = { status: number; code: string; description: string; retryAfterSeconds?: number }

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof OAuthError) return { status: statuses[error.code], code: error.code, description: error.description }
  if (error instanceof Failure) {
    const { message = error.reason, retryAfterSeconds } = error.options
    const reason = error.reason as Reason
    if (reason === 'too_many') return { status: 429, code: 'slow_down', description: message, retryAfterSeconds }
    if (reason === 'body_too_large') return { status: 413, code: 'invalid_request', description: 'The request is too large.' }
    if (reason === 'invalid_form') return { status: 400, code: 'invalid_request', description: 'Send a valid urlencoded form.' }
    if (reason === 'service_unavailable') return unavailable(error.options.message)
  }
  return isTransient(error) ? unavailable() : undefined
}

const unavailable = (description = 'Filmgate is not available at the moment. Try again.'): Refusal => ({
  status: 503,
  code: 'temporarily_unavailable',
  description,
  retryAfterSeconds: retrySeconds,
})

/** Only what RFC 6749 allows in an error_description: printable ASCII without quotes and backslashes. */
const plain = (text: string): string => text.replaceAll('’', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
