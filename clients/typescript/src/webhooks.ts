import { FilmgateError } from './error.ts'
import type { VideoTask } from './generated.ts'

/** What is posted to a webhook endpoint. Ignore types that you do not know: more may be added. */
export type WebhookEvent =
  | {
      type: 'task.completed' | 'task.failed' | 'task.in_review'
      timestamp: string
      data: { task: VideoTask; tags: Record<string, string> }
    }
  | { type: 'balance.low'; timestamp: string; data: { available_credits: number; threshold_credits: number } }
  | { type: 'webhook.test'; timestamp: string; data: Record<string, never> }

/** Fetch's, or an object of them as Node has it. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** How far `webhook-timestamp` may be from now. Default: 300. */
  toleranceSeconds?: number | undefined
}

const toleranceSecondsDefault = 300
const prefix = 'whsec_'
/** Two while a secret is rotated; each is compared. */
const signaturesMax = 10

/**
 * The event of a delivery, once it is known to be signed with this secret (Standard Webhooks) and not to be old. While a rotated secret overlaps, either
 * one fits. Throws `invalid_webhook` otherwise.
 * @param payload the body exactly as it came, before any parsing
 * @param secret `whsec_…` of the endpoint, or the text that was given as `callback_secret`
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = toleranceSecondsDefault }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(name => headerOf(headers, `webhook-${name}`))
  if (!id || !timestamp || !signatures) throw invalid('The headers webhook-id, webhook-timestamp and webhook-signature are needed.')
  const awayMs = Math.abs(Date.now() - Number(timestamp) * 1_000)
  if (!/^\d{1,12}$/.test(timestamp) || awayMs > toleranceSeconds * 1_000) throw invalid('The timestamp is too far from now.')
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  // `verify` compares in constant time.
  const fits = await Promise.all(signaturesOf(signatures).map(signature => crypto.subtle.verify('HMAC', key, signature, signed)))
  if (!fits.includes(true)) throw invalid('No signature is by this secret.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw new FilmgateError({ code: 'invalid_webhook', message: 'The payload is not JSON.', cause })
  }
}

const invalid = (message: string) => new FilmgateError({ code: 'invalid_webhook', message })

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value[0] : value
}

const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> => typeof headers.get === 'function'

/** Those of version 1: `v1,BASE64`, separated by spaces. */
const signaturesOf = (header: string): Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ')
    .slice(0, signaturesMax)
    .flatMap(each => (each.startsWith('v1,') ? (decoded(each.slice(3)) ?? []) : []))

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = secret.startsWith(prefix) ? decoded(secret.slice(prefix.length)) : new TextEncoder().encode(secret)
  if (!key || key.length === 0) throw new FilmgateError({ code: 'invalid_argument', message: 'The secret is not of the form whsec_….' })
  return key
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}
