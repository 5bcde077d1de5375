import { extname } from 'node:path'
import { Failure } from '@filmgate/kit/failure'
import { checkUrl, type Target } from '@filmgate/kit/safe-fetch/check-url'
import { type FetchPolicy, fetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { openEnding } from '@filmgate/kit/safe-fetch/hop/ending'
import { resolveHost } from '@filmgate/kit/safe-fetch/resolve-host'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { callProvider, ProviderTrouble, troubleOf } from '../call'
import type { HandedMedia, Uploaded } from '../connector'
import { notSent, readOurs, UploadTrouble } from '../read-ours'

export type UploadOptions = {
  /** Of fal's storage: https://rest.fal.ai, or what stands in for it. */
  restUrl: string
  key: string
  /** Addresses it may name: public ones, and a developer's own. */
  policy: FetchPolicy
  /** For all inputs of one order. */
  timeoutMs: number
  /** How long fal keeps a copy. */
  keptSeconds: number
}

/** Inputs under way at once, of those of one order. */
const uploadsMax = 4

const initiatedForm = TypeCompiler.Compile(Type.Object({ upload_url: Type.String(), file_url: Type.String() }))

/**
 * Inputs as files of fal's own storage, for a store of ours that fal can't read: fal.ai/docs/documentation/model-apis/fal-cdn. As
 * @fal-ai/client 1.10.1 does it (src/storage.js): an upload is asked for under our key, and the bytes go to the address that names, without it.
 * Its upload in parts, above 90 MB, is more than any input of ours has.
 */
export async function uploadInputs(options: UploadOptions, media: HandedMedia[], signal: AbortSignal): Promise<Uploaded> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
  const uploaded: HandedMedia[] = []
  try {
    for (let at = 0; at < media.length; at += uploadsMax)
      uploaded.push(...(await Promise.all(media.slice(at, at + uploadsMax).map(one => upload(options, one, ending)))))
  } catch (error) {
    return notSent(error)
  }
  return { outcome: 'uploaded', media: uploaded }
}

async function upload(options: UploadOptions, one: HandedMedia, signal: AbortSignal): Promise<HandedMedia> {
  const { body, bytes, contentType } = await readOurs(one, signal)
  const { uploadUrl, fileUrl } = await initiate(options, one, contentType, signal).catch(async error => {
    await body.cancel().catch(() => undefined)
    throw error
  })
  const answer = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': String(bytes) },
    body,
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw new UploadTrouble(`an input broke off on its way to fal’s storage: ${troubleOf(error)}`, true, error)
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new UploadTrouble(`fal’s storage answered ${answer.status} to an input`, false)
  return { ...one, url: fileUrl }
}

async function initiate(options: UploadOptions, { field, index, url }: HandedMedia, contentType: string, signal: AbortSignal) {
  const { restUrl, key, keptSeconds, timeoutMs, policy } = options
  const { status, body } = await callProvider({
    ...{ provider: 'fal', call: 'upload', method: 'POST', timeoutMs, signal },
    url: `${restUrl}/storage/upload/initiate?storage_type=fal-cdn-v3`,
    headers: {
      ...{ authorization: `Key ${key}`, 'content-type': 'application/json' },
      'x-fal-object-lifecycle': JSON.stringify({ expiration_duration_seconds: keptSeconds }),
    },
    body: JSON.stringify({ content_type: contentType, file_name: `${field}-${index}${extname(new URL(url).pathname)}` }),
  }).catch((error: unknown) => {
    if (!(error instanceof ProviderTrouble)) throw error
    throw new UploadTrouble(`fal’s storage: ${error.message}`, false, error)
  })
  if (status !== 200 || !initiatedForm.Check(body)) throw new UploadTrouble(`fal’s storage answered ${status}`, false)
  const [upload, file] = [checked(body.upload_url, policy), checked(body.file_url, policy)]
  return { uploadUrl: await resolved(upload, options, signal), fileUrl: file.url.href }
}

/** What fal names has to be on the public internet: our inputs go there. */
function checked(address: string, policy: FetchPolicy): Target {
  try {
    return checkUrl(address, policy)
  } catch (error) {
    throw notPublic(error)
  }
}

/** So has every answer of its name. Whoever changes that answer before the bytes go there is inside our resolver already. */
async function resolved(target: Target, { policy, timeoutMs }: UploadOptions, signal: AbortSignal): Promise<string> {
  const ending = openEnding(timeoutMs, signal)
  try {
    await resolveHost(target, policy, fetchLimits.dnsTimeoutMs, ending)
    return target.url.href
  } catch (error) {
    if (error instanceof Failure && error.reason === 'address_forbidden') throw notPublic(error)
    throw new UploadTrouble(`the name of fal’s storage: ${troubleOf(error)}`, true, error)
  } finally {
    ending.stop()
  }
}

const notPublic = (cause: unknown) => new UploadTrouble('fal’s storage named an address that is not on the public internet', false, cause)
