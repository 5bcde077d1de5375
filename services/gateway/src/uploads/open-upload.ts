import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore, PresignedPut } from '@filmgate/kit/object-store'
import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { typesOf, uploadFormatOf } from '@filmgate/proto/upload-formats'
import type { FindBalance } from '../balances/find-balance'
import type { Reason } from '../errors'
import { either } from '../issues/wording'
import { newUploadId } from './upload-id'
import { findUpload, insertUpload, lockUploadsOf, sumUploads, type Upload } from './upload-repository'
import type { UploadRoom } from './variables'

/** `public`: the same bucket by the endpoint that clients reach; addresses are signed for it. */
export type UploadBucket = { own: ObjectStore; public: Pick<ObjectStore, 'presignPut'> }

export type OpenUploadDeps = {
  sql: Sql
  findBalance: FindBalance
  /** Undefined: there is no bucket, and uploads are off. */
  uploads: UploadBucket | undefined
  uploadRoom: UploadRoom
  now(): Date
}

export type OpenUploadInput = { accountId: string; type: string; bytes: number }

/** Inputs are read within minutes of a request. Older uploads are unused. */
export const uploadsKeptMs = 86_400_000
/** Per account and hour: some dozens of files, including a few films. It also bounds those that are open. */
const uploadsHourMax = 120
const hourMs = 3_600_000
const putSeconds = 15 * 60
const mebibyte = 1_048_576

/** Room for a file of this type and length, and the signed PUT that takes exactly it. */
export async function openUpload(deps: OpenUploadDeps, input: OpenUploadInput): Promise<{ upload: Upload; put: PresignedPut }> {
  const { upload, contentType, bucket } = await reserveUpload(deps, input)
  const put = await bucket.public.presignPut(keyOf(upload), putSeconds, { contentType, bytes: input.bytes })
  return { upload, put }
}

/** Stores these bytes as an upload of the account, and returns the URL that its requests name it by. Under an `id` that is there they count once. */
export async function storeUpload(
  deps: OpenUploadDeps,
  { accountId, type, body, id }: Omit<OpenUploadInput, 'bytes'> & { body: Uint8Array; id?: string },
): Promise<{ url: string }> {
  const { upload, contentType, bucket } = await reserveUpload(deps, { accountId, type, bytes: body.length }, id)
  await bucket.own.put(keyOf(upload), body, { contentType })
  return { url: urlOf(upload) }
}

/** Where it lies in the bucket. */
export const keyOf = ({ accountId, id, ending }: Pick<Upload, 'accountId' | 'id' | 'ending'>): string => `${accountId}/${id}.${ending}`

export const urlOf = (upload: Upload): string => uploadUrlOf(keyOf(upload))

async function reserveUpload(deps: OpenUploadDeps, { accountId, type, bytes }: OpenUploadInput, id = newUploadId()) {
  const { uploads: bucket, sql } = deps
  if (!bucket)
    throw new Failure<Reason>('service_unavailable', { message: 'Uploads are off here.', internal: 'S3_UPLOADS_BUCKET is not set' })
  const format = uploadFormatOf(type)
  if (!format) {
    const message = `type must be ${either(typesOf())}`
    throw new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'type', rule: 'enum', message }] } })
  }
  const bytesMax = uploadRoomOf(deps.uploadRoom, (await deps.findBalance(accountId))?.available ?? 0)
  const now = deps.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const upload = { id, accountId, ending: format.ending, bytes, createdAt: now }
  await sql.begin(async sql => {
    await lockUploadsOf(sql, accountId)
    if (await findUpload(sql, { id, accountId, keptFrom: before(uploadsKeptMs) })) return
    const sums = await sumUploads(sql, { accountId, hourFrom: before(hourMs), keptFrom: before(uploadsKeptMs) })
    if (sums.hourCount >= uploadsHourMax) throw tooMany(hourWords, sums.hourFirstAt, hourMs, now)
    if (sums.bytes + bytes > bytesMax) throw tooMany(roomWords(sums.bytes, bytesMax), sums.firstAt, uploadsKeptMs, now)
    await insertUpload(sql, upload)
  })
  return { upload: { ...upload, finding: null }, contentType: format.type, bucket }
}

/** Asked again once the first upload that counts has ended. */
function tooMany(message: string, firstAt: Date | null, countsMs: number, now: Date): Failure<Reason> {
  const endsMs = (firstAt ?? now).getTime() + countsMs
  return new Failure<Reason>('upload_limit', { message, retryAfterSeconds: Math.max(1, Math.ceil((endsMs - now.getTime()) / 1_000)) })
}

const hourWords = 'This account has reached its upload limit for this hour. Try again later.'

function roomWords(bytes: number, bytesMax: number): string {
  const [used, most] = [bytes, bytesMax].map(each => Math.floor(each / mebibyte).toLocaleString('en-US'))
  return `This account has uploaded ${used} of ${most} MiB. Uploads are deleted after a day, and paid credits make more room.`
}

/** The room of an account with this paid balance, in bytes. */
export function uploadRoomOf(room: UploadRoom, paidCredits: number): number {
  const more = Math.floor(Math.max(0, paidCredits) / 100) * room.uploadRoomPaidMebibytes
  return Math.min(room.uploadRoomMebibytes + more, Math.max(room.uploadRoomMebibytesMax, room.uploadRoomMebibytes)) * mebibyte
}
