import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore, PresignedPut } from '@filmgate/kit/object-store'
import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { AccountView, Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import type { KindLimits } from '../models/model'
import { formatNames, formatOf } from './formats'
import { countUpload, findUploadCounts } from './upload-repository'
import type { UploadRoom } from './variables'

export type PresignDeps = {
  sql: Sql
  gateway: Gateway
  uploadStore: Pick<ObjectStore, 'presignPut'>
  uploadRoom: UploadRoom
  now: () => Date
}
type PresignInput = { person: Person; accountId: string; type: string; bytes: number; limits: KindLimits }

/** Per account and hour: some dozens of files, including a few films. */
const uploadsHourMax = 120
const putSeconds = 15 * 60
const mebibyte = 1_048_576
const hourSeconds = 3_600

/** A presigned upload URL for exactly this file, and the address that a request uses for it. */
export async function presignUpload(
  deps: PresignDeps,
  { person, accountId, type, bytes, limits }: PresignInput,
): Promise<{ put: PresignedPut; media_url: string }> {
  const format = formatOf(type, limits.formats)
  if (!format) throw new Failure<Reason>('invalid_request', { message: `This model accepts ${formatNames(limits.formats)} here.` })
  if (limits.bytes_max !== undefined && bytes > limits.bytes_max)
    throw new Failure<Reason>('invalid_request', {
      message: `This model accepts at most ${Math.floor(limits.bytes_max / mebibyte)} MiB here.`,
    })
  const key = `${accountId}/${randomName()}.${format.ending}`
  const now = deps.now()
  const { available_credits } = await deps.gateway.get<AccountView>(person, `/accounts/${accountId}`)
  const bytesMax = uploadRoomOf(deps.uploadRoom, available_credits)
  await deps.sql.begin(async sql => {
    if (!(await countUpload(sql, { accountId, now, bytes, uploadsMax: uploadsHourMax, bytesMax })))
      throw new Failure<Reason>('too_many', {
        message: refusalText(await findUploadCounts(sql, accountId, now), bytesMax),
        retryAfterSeconds: hourSeconds - Math.floor((now.getTime() / 1_000) % hourSeconds),
      })
    await insertAuditEntry(sql, person, { accountId, action: 'upload.made', subject: key, details: { bytes, type: format.type } })
  })
  return { put: await deps.uploadStore.presignPut(key, putSeconds, { contentType: format.type, bytes }), media_url: uploadUrlOf(key) }
}

/** The room of an account with this paid balance, in bytes. */
export function uploadRoomOf(room: UploadRoom, paidCredits: number): number {
  const more = Math.floor(Math.max(0, paidCredits) / 100) * room.uploadRoomPaidMebibytes
  return Math.min(room.uploadRoomMebibytes + more, Math.max(room.uploadRoomMebibytesMax, room.uploadRoomMebibytes)) * mebibyte
}

function refusalText({ uploads, bytes }: { uploads: number; bytes: number }, bytesMax: number): string {
  if (uploads >= uploadsHourMax) return 'This account has reached its upload limit for this hour. Try again later.'
  const [used, most] = [bytes, bytesMax].map(each => Math.floor(each / mebibyte).toLocaleString('en-US'))
  return `This account has uploaded ${used} of ${most} MiB. Uploads are deleted after a day, and paid credits make more room.`
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const nameCharacters = 22

/** 130 random bits, slightly more than a random UUID. */
function randomName(): string {
  let name = ''
  // Bytes beyond the last whole multiple of the alphabet are dropped, because they would favour its first letters.
  const fair = 256 - (256 % letters.length)
  while (name.length < nameCharacters)
    for (const byte of crypto.getRandomValues(new Uint8Array(nameCharacters)))
      if (byte < fair && name.length < nameCharacters) name += letters[byte % letters.length]
  return name
}
