import { Failure } from '@filmgate/kit/failure'
import { readJson } from '@filmgate/kit/request/read-json'
import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { checkRequest } from '../catalog/check-request'
import { isObject } from '../catalog/compile-card'
import type { Reason } from '../errors'
import { type CreateDeps, type Created, createGeneration } from '../generations/create-generation'
import { readCreationHeaders } from '../generations/creation-headers'
import { fingerprintOf } from '../generations/idempotency'
import type { Issue, Values } from '../issues/issue'
import { show } from '../issues/wording'
import type { Caller } from '../keys/find-caller'
import { checkTags, type Tags } from '../tags/read-tags'
import { type OpenUploadDeps, storeUpload } from '../uploads/open-upload'
import { callbackOf, callbacksOff, type KeepCallbackDeps, keepCallback, oversizedIssues } from './request/callback'
import { idempotencyKeyOf } from './request/idempotency-key'
import { type InputFile, inputFile } from './request/input-file'
import { modelOf, nativeBody, typedByCard } from './request/native-body'
import { isForm, readForm, withFormInMemory } from './request/read-form'

/** `webhooksOn`: without them no callback is taken. */
export type CreateVideoDeps = CreateDeps & OpenUploadDeps & KeepCallbackDeps & { webhooksOn: boolean }
type Input = { request: Request; caller: Caller; leftMs: number }

/** A video from the fields of OpenAI's API, by the admission of POST /video/generations. */
export async function createVideo(deps: CreateVideoDeps, input: Input): Promise<Created> {
  const { generation, names } = await withFormInMemory(input.request, input.caller.accountId, () => readVideo(deps, input))
  return createGeneration(deps, generation).catch(error => {
    throw named(error, names)
  })
}

/** The generation that the fields ask for. Its file, if it has one, is stored. */
async function readVideo(deps: CreateVideoDeps, { request, caller, leftMs }: Input) {
  const arrivedAt = performance.now()
  const { given, typed, file } = await readVideoBody(deps, request, caller.accountId)
  const { headers, signal } = request
  const { metadata, callback_url, callback_secret, ...fields } = given
  const callback = callbackOf({ callback_url, callback_secret })
  const ofHeaders = readCreationHeaders(headers)
  const tags = readMetadata(metadata) ?? ofHeaders.tags
  const alike = { headers, keyId: caller.keyId, fingerprint: fingerprintOf(given), arrivedAt, leftMs }
  const idempotencyKey = await idempotencyKeyOf(deps.sql, alike)
  const fingerprint = fingerprintOf(fields)
  const catalog = deps.currentCatalog()
  const { body, issues, names } = nativeBody(catalog, typed ? typedByCard(modelOf(catalog, fields), fields) : fields)
  if (callback) issues.push(...(deps.webhooksOn ? oversizedIssues(callback) : [callbacksOff]))
  const checked = checkRequest(catalog, body)
  if (file && issues.length === 0 && checked.ok) await storeUpload(deps, { accountId: caller.accountId, ...file })
  const refusal = issues.length > 0 ? refused([...issues, ...(checked.ok ? [] : checked.issues)]) : undefined
  const kept = checked.ok ? { aspect_ratio: checked.request.aspect_ratio } : {}
  const prepare = callback && ((taskId: string) => keepCallback(deps, { accountId: caller.accountId, taskId, callback }))
  const asked = { idempotencyKey, fingerprint, ...ofHeaders, tags, body, refusal, kept, prepare }
  return { generation: { caller, surface: 'api' as const, leftMs, ...asked, signal }, names }
}

/** `typed`: the values of a form are texts, and get their types by the card. */
type VideoBody = { given: Values; typed: boolean; file?: InputFile }

/** The fields as they came; a file among them is the URL that it has once it is stored. */
async function readVideoBody(deps: CreateVideoDeps, request: Request, accountId: string): Promise<VideoBody> {
  if (!isForm(request)) {
    const given = await readJson(request)
    if (!isObject(given)) throw refused([{ path: '', rule: 'type', message: 'the body must be a JSON object' }])
    return { given, typed: false }
  }
  const form = await readForm(request)
  if (!form.file) return { given: form.texts, typed: true }
  const file = inputFile(accountId, form.file)
  if (!deps.uploads) throw refused([ofFile('unsupported_field', 'input_reference is not taken as a file here: send its image_url')])
  if (!file) throw refused([ofFile('format', 'input_reference must be a JPEG, PNG or WebP file')])
  return { given: { ...form.texts, input_reference: uploadUrlOf(`${accountId}/${file.id}.${file.ending}`) }, typed: true, file }
}

/** `metadata` of OpenAI's clients are tags, by the rules of `Filmgate-Tags`. */
function readMetadata(metadata: unknown): Tags | null {
  if (metadata === undefined || metadata === null) return null
  if (isObject(metadata)) return checkTags(metadata, 'metadata')
  throw refused([{ path: 'metadata', rule: 'type', message: `metadata must be an object, and is ${show(metadata)}` }])
}

const ofFile = (rule: string, message: string): Issue => ({ path: 'input_reference', rule, message })
const refused = (issues: Issue[]) => new Failure<Reason>('invalid_request', { details: { issues } })

/** A refusal in OpenAI's names, where the field came under one. */
function named(error: unknown, names: Record<string, string>): unknown {
  if (!(error instanceof Failure) || !error.options.details) return error
  const { issues, field, ...others } = error.options.details as { issues?: Issue[]; field?: string }
  const details = {
    ...others,
    ...(field !== undefined && { field: names[field] ?? field }),
    ...(issues && { issues: issues.map(issue => renamed(issue, names)) }),
  }
  return new Failure(error.reason, { ...error.options, details })
}

/** Messages begin with the field that they are about. */
function renamed({ path, rule, message }: Issue, names: Record<string, string>): Issue {
  const name = names[path]
  if (!name) return { path, rule, message }
  return { path: name, rule, message: message.startsWith(`${path} `) ? `${name}${message.slice(path.length)}` : message }
}
