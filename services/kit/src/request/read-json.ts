import type { Static, TSchema } from '@sinclair/typebox'
import { DeadlineError, withDeadline } from '../deadline'
import { Failure } from '../failure'
import { checkBody } from './check-body'
import { jsonFault, utf8Fault } from './json-fault'
import type { requestReasons } from './reasons'
import { type JsonFault, scanJson } from './scan-json'

type Reason = keyof typeof requestReasons

const bodyBytesMax = 64 * 1024
/** 64 KiB take less on the slowest of lines; who says nothing for so long has left. */
const bodyTimeoutMs = 30_000
const pathShownMax = 200
const codingShownMax = 40
const numberShownMax = 40

/** A route's options where its handler reads the body by `readJsonAs`: what it takes stands in the list of routes. */
export const takes = (schema: TSchema) => ({
  parse: 'none' as const,
  detail: { requestBody: { content: { 'application/json': { schema: schema as object } } } },
})

/** The body as JSON of this schema; what doesn't fit is named (400). */
export const readJsonAs = async <S extends TSchema>(schema: S, request: Request): Promise<Static<S>> =>
  checkBody(schema, await readJson(request))

/** The body as JSON: size first (413), then content type and coding, then syntax, then what no row could hold (400). */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  checkType(request.headers)
  const text = decode(bytes)
  const value = parse(text)
  const faults = scanJson(text)
  if (faults.length > 0) throw refused(faults)
  return value
}

function checkType(headers: Headers): void {
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) throw new Failure<Reason>('invalid_content_type')
  const coding = headers.get('content-encoding') ?? 'identity'
  if (/^(?:identity)?$/i.test(coding)) return
  const message = `Send the body without Content-Encoding: it is ${JSON.stringify(coding.slice(0, codingShownMax))}.`
  throw new Failure<Reason>('invalid_content_type', { message })
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Failure<Reason>('invalid_json', { message: utf8Fault(bytes) })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure<Reason>('invalid_json', { message: jsonFault(text) })
  }
}

/** A text that is two bodies at once is refused as JSON; one that can't be kept as a request. */
function refused(faults: JsonFault[]): Failure<Reason> {
  const repeated = faults.filter(({ rule }) => rule === 'unique_key')
  const issues = (repeated.length > 0 ? repeated : faults).map(({ rule, path, written }) => {
    const shown = shortened(path, pathShownMax)
    return { path: shown, rule, message: faultWords[rule](shown, shortened(written ?? '', numberShownMax)) }
  })
  const [first] = issues
  if (repeated.length > 0) return new Failure('invalid_json', { message: first?.message, details: { issues } })
  return new Failure('invalid_request', { details: { issues } })
}

const faultWords: Record<JsonFault['rule'], (path: string, written: string) => string> = {
  unique_key: path => `The key ${path} stands twice in one object of the body.`,
  well_formed: path => `${path || 'the body'} must be well-formed Unicode without the character U+0000`,
  number_range: (path, written) => `${path || 'the body'} must be a number within ±1.8e308, and is ${written}`,
}

/** Short, and itself well-formed. */
function shortened(text: string, charactersMax: number): string {
  const shown = text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`
  return shown.toWellFormed().replaceAll('\0', '\ufffd')
}

/** At most 64 KiB (413), counted as they come, whatever the header says, and within half a minute (400), unless told otherwise. */
export async function readBody(request: Request, timeoutMs = bodyTimeoutMs, bytesMax = bodyBytesMax): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw new Failure<Reason>('body_too_large')
  try {
    return await withDeadline(readBounded(request, bytesMax), timeoutMs, 'the body')
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw new Failure<Reason>('invalid_json', { message: `The body did not arrive within ${timeoutMs / 1_000} s.` })
  }
}

async function readBounded(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  // A length that the header promises is kept to by the runtime, so there is nothing to count.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw new Failure<Reason>('body_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
