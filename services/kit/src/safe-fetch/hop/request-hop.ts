import { Failure, invariant } from '../../failure'
import type { Target } from '../check-url'
import type { FetchLimits, FetchReason, OriginCredential } from '../fetch-policy'
import { type AnswerHead, headEnd, invalid, parseHead } from './answer-head'
import type { Ending } from './ending'
import { openWire, type Wire } from './open-wire'
import { userAgentOf } from './user-agent'

/** An answer whose head has come. `rest` came with it and is the body's first part. The wire is its holder's to close. */
export type Hop = { wire: Wire; head: AnswerHead; rest: Buffer }

/** What a POST sends: header names in any case, none of those that frame a request. */
export type HopPost = { headers: Record<string, string>; body: string }

/** `credential`: for this hop, whose origin it was checked against. With `post` it is a POST, else a GET. */
export type HopTarget = Target & { credential?: OriginCredential | undefined; userAgent?: string | undefined; post?: HopPost }

/**
 * One request to exactly this address. No connection is kept or shared, no redirect followed, nothing decompressed, no protocol changed.
 * We read the answer ourselves: a client library leaves its caller waiting where it hands a socket over, and counts no interim answers.
 */
export async function requestHop(target: HopTarget, address: string, limits: FetchLimits, ending: Ending): Promise<Hop> {
  const text = requestText(target)
  const wire = await openWire(target, address, limits, ending)
  const late = () => wire.end(new Failure<FetchReason>('timed_out', { internal: 'no headers in time' }))
  const timer = setTimeout(late, limits.headersTimeoutMs)
  try {
    wire.write(text)
    return { wire, ...(await readAnswer(wire, limits)) }
  } catch (error) {
    wire.close()
    if (error instanceof Failure) throw error
    throw new Failure<FetchReason>('answer_invalid', { cause: error, internal: 'closed before the headers' })
  } finally {
    clearTimeout(timer)
  }
}

const requestText = ({ url: { pathname, search, host }, credential, userAgent = userAgentOf(), post }: HopTarget): string =>
  [
    `${post ? 'POST' : 'GET'} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...(credential ? [credentialLine(credential)] : []),
    ...(post ? Object.entries(post.headers).map(([name, value]) => headerLine(name, value)) : []),
    ...(post ? [`Content-Length: ${Buffer.byteLength(post.body)}`] : []),
    'Accept: */*',
    'Accept-Encoding: identity',
    `User-Agent: ${userAgent}`,
    'Connection: close',
    `\r\n${post?.body ?? ''}`,
  ].join('\r\n')

/** A key alone, or after its scheme. */
function credentialLine({ header, value }: OriginCredential): string {
  invariant(/^([!-~]+ )?[!-~]+$/.test(value), 'a credential is one header: a key, or a scheme and a key')
  return headerLine(header, value)
}

/** Visible characters with single spaces between them. What would end its line could add a second request. */
function headerLine(name: string, value: string): string {
  invariant(/^[A-Za-z0-9-]+$/.test(name) && /^[!-~]+( [!-~]+)*$/.test(value), 'one header is one line: a name, and visible characters')
  return `${name}: ${value}`
}

/** Every 1xx announces another answer (RFC 9110, 15.2) but 101, after which it is no HTTP any more. */
const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== 101

/** Reads on to the answer that is the last. Interim ones count against the same bytes, and are few. */
async function readAnswer(wire: Wire, { headerBytesMax, interimAnswersMax }: FetchLimits): Promise<{ head: AnswerHead; rest: Buffer }> {
  let bytes: Buffer = Buffer.alloc(0)
  let passedBytes = 0
  for (let answers = 0; answers <= interimAnswersMax; answers += 1) {
    let end = headEnd(bytes, 0)
    while (end < 0) {
      if (passedBytes + bytes.length > headerBytesMax) invalid(`more than ${headerBytesMax} bytes of headers`)
      const chunk = (await wire.read()) ?? invalid('closed before the headers')
      const from = Math.max(0, bytes.length - 3)
      bytes = Buffer.concat([bytes, chunk])
      end = headEnd(bytes, from)
    }
    passedBytes += end
    if (passedBytes > headerBytesMax) invalid(`more than ${headerBytesMax} bytes of headers`)
    const head = parseHead(bytes.subarray(0, end))
    bytes = bytes.subarray(end)
    if (!isInterim(head.status)) return { head, rest: bytes }
  }
  return invalid(`more than ${interimAnswersMax} interim answers`)
}
