import { Failure } from '@filmgate/kit/failure'
import { readBody } from '@filmgate/kit/request/read-json'
import type { Reason } from '../../errors'
import type { Issue, Values } from '../../issues/issue'

/** The largest picture that a card takes (30 MiB), and the fields beside it. */
const formBytesMax = 31 * 1_048_576
/** Below the time that the server gives a whole request. */
const formTimeoutMs = 55_000
const smallBytesMax = 65_536
/** A form is in memory twice while it is taken apart: three of them are a third of what the pod has. */
const largeAtOnceMax = 3
const fieldsMax = 100
const retrySeconds = 2

/** A form's fields as texts, lists of texts and objects of texts, and its file. */
export type Form = { texts: Values; file?: Uint8Array }

/** Accounts. */
const withLargeForm = new Set<string>()

/** The body as multipart/form-data. */
export const readForm = async (request: Request): Promise<Form> => formOf(await parse(request))

export const isForm = (request: Request): boolean => /^multipart\/form-data *;/i.test(request.headers.get('content-type') ?? '')

/** Does `work`, which has the whole form in memory. Of large forms an account has one at a time, and a replica so many; others come later. */
export async function withFormInMemory<T>(request: Request, accountId: string, work: () => Promise<T>): Promise<T> {
  const length = request.headers.get('content-length')
  if (!isForm(request) || (length !== null && Number(length) <= smallBytesMax)) return work()
  if (withLargeForm.size >= largeAtOnceMax || withLargeForm.has(accountId))
    throw new Failure<Reason>('service_unavailable', { retryAfterSeconds: retrySeconds, internal: 'as many forms as fit are in memory' })
  withLargeForm.add(accountId)
  try {
    return await work()
  } finally {
    withLargeForm.delete(accountId)
  }
}

type Entry = [name: string, value: string | File]

async function parse(request: Request): Promise<Entry[]> {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBody(request, formTimeoutMs, formBytesMax).catch(error => {
    throw error instanceof Failure && error.reason === 'body_too_large'
      ? new Failure<Reason>('body_too_large', { message: 'A form has at most 31 MiB, its file included.' })
      : error
  })
  try {
    const data = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    return [...(data as unknown as Iterable<Entry>)]
  } catch {
    throw new Failure<Reason>('invalid_content_type', { message: 'The body is not multipart/form-data as its Content-Type describes it.' })
  }
}

/** `name`, `name[]` of a list, `name[key]` of an object: as OpenAI's clients write what a form has no form for. */
const nameForm = /^([^[\]]{1,64})(?:\[([^[\]]{0,64})\])?$/

async function formOf(entries: Entry[]): Promise<Form> {
  const issues: Issue[] = []
  const fault = (path: string, rule: string, message: string) => void issues.push({ path: path.slice(0, 64), rule, message })
  const values = new Map<string, unknown>()
  let file: Uint8Array | undefined
  if (entries.length > fieldsMax) fault('', 'fields_max', `a form has at most ${fieldsMax} fields, and this has ${entries.length}`)
  for (const [written, value] of entries.slice(0, fieldsMax)) {
    const [, name = '', key] = nameForm.exec(written) ?? []
    if (name === '' || !written.isWellFormed() || written.includes('\0')) fault('', 'field_name', 'a field has no name that can be read')
    else if (typeof value !== 'string') {
      if (name !== 'input_reference' || key !== undefined) fault(name, 'unsupported_field', `${name} is not taken as a file`)
      else if (file || values.has(name)) fault(name, 'unique_key', `${name} is given more than once`)
      else file = new Uint8Array(await value.arrayBuffer())
    } else if (!value.isWellFormed() || value.includes('\0'))
      fault(name, 'well_formed', `${name} must be well-formed Unicode without the character U+0000`)
    else if (!put(values, name, key, value) || (name === 'input_reference' && file))
      fault(name, 'unique_key', `${name} is given more than once`)
  }
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
  return { texts: Object.fromEntries(values), ...(file && { file }) }
}

/** Whether the value has a place of its own. */
function put(values: Map<string, unknown>, name: string, key: string | undefined, text: string): boolean {
  const there = values.get(name)
  if (key === undefined) {
    if (there !== undefined) return false
    values.set(name, text)
  } else if (key === '') {
    if (there !== undefined && !Array.isArray(there)) return false
    values.set(name, [...(there ?? []), text])
  } else {
    if (there !== undefined && (typeof there !== 'object' || Array.isArray(there) || Object.hasOwn(there as Values, key))) return false
    values.set(name, Object.fromEntries([...Object.entries((there as Values | undefined) ?? {}), [key, text]]))
  }
  return true
}
