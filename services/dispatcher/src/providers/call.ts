import { counter, histogram, late } from '@filmgate/kit/telemetry/metrics'
import { countCall, type MetAnswer } from './tally'

/** A provider's answers are small; a longer one is not an answer. */
const answerBytesMax = 4_194_304

/** `sent` is false only where it is certain that the request did not reach the provider. */
export class ProviderTrouble extends Error {
  override name = 'ProviderTrouble'
  constructor(
    words: string,
    readonly sent: boolean,
    cause?: unknown,
  ) {
    super(words, { cause })
  }
}

/** Something came back that is not JSON, or nothing did. */
export class UnreadAnswer extends ProviderTrouble {
  override name = 'UnreadAnswer'
  constructor(
    readonly status: number,
    readonly kind: 'page' | 'empty',
    cause?: unknown,
  ) {
    super(`answered ${status} with ${kind === 'page' ? 'something that is not JSON' : 'nothing'}`, true, cause)
  }
}

/** `headers`: those of the answer that the call named, where they were there. */
export type ProviderAnswer = { status: number; body: unknown; headers?: Record<string, string> }

const calls = ['upload', 'submit', 'poll', 'look-up', 'cancel', 'key-check'] as const
const seconds = histogram(
  'provider_call_seconds',
  'Time a provider took to answer',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
)
const troubles = counter('provider_troubles', 'Calls to a provider that got no usable answer', {
  provider: late,
  call: calls,
  sent: [true, false],
})

export type ProviderCall = {
  provider: string
  /** For metrics. */
  call: (typeof calls)[number]
  url: string
  method: 'GET' | 'POST' | 'PUT'
  headers: Record<string, string>
  body?: string | ReadableStream<Uint8Array>
  /** A provider that repeats what it was sent may answer with as much more. */
  answerRepeatsBody?: boolean
  /** Statuses that say all there is to say: without a body, theirs is read as null. */
  bodyless?: readonly number[]
  /** Names of the answer's headers that are read. */
  read?: readonly string[]
  timeoutMs: number
  signal: AbortSignal
}

/** One request, never repeated, no redirect followed. Any status with a JSON body is an answer; everything else throws ProviderTrouble. */
export async function callProvider(asked: ProviderCall): Promise<ProviderAnswer> {
  const { provider, call, url, method, headers, body, answerRepeatsBody, bodyless = [], read, timeoutMs, signal } = asked
  const bytesMax = answerBytesMax + (answerRepeatsBody && typeof body === 'string' ? Buffer.byteLength(body) : 0)
  const startedAt = performance.now()
  let met: MetAnswer | undefined
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body !== undefined && { body }),
    })
    met = { status: response.status, retryAfter: response.headers.get('retry-after') }
    const text = await readText(response, bytesMax)
    const answer = {
      status: response.status,
      body: text === '' && bodyless.includes(response.status) ? null : parse(text, response.status),
      ...(read && { headers: headersOf(response, read) }),
    }
    seconds.record((performance.now() - startedAt) / 1_000, { provider, call, status: response.status })
    countCall(met, true)
    return answer
  } catch (error) {
    const trouble = error instanceof ProviderTrouble ? error : new ProviderTrouble(troubleOf(error), !neverSent(error), error)
    troubles.add(1, { provider, call, sent: trouble.sent })
    if (!signal.aborted) countCall(met, false)
    throw trouble
  }
}

const headersOf = ({ headers }: Response, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])))

/** Bytes are counted as they are decoded: a declared length is that of the compressed body, and a small body can unpack to any size. */
async function readText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new ProviderTrouble(`answered more than ${bytesMax} bytes`, true)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadAnswer(status, text.trim() === '' ? 'empty' : 'page', error)
  }
}

/**
 * Codes of Bun's fetch for what fails before a byte of the request is written: names, connections, certificates. Not EPROTO: its words
 * name the handshake, and an alert or a bad record long after the request was read gives the same.
 */
const neverSentCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|UNABLE_TO_.*|(DEPTH_ZERO_)?SELF_SIGNED_.*)$/

function neverSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && neverSentCodes.test(error.code)
}

/** What went wrong with a call, in words that hold nothing of it. */
export const troubleOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : `${error.name}: ${error.message}`
}
