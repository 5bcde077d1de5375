import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore, PresignedPut } from '@filmgate/kit/object-store'
import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import type { KindLimits } from '../models/model'
import { formatNames, formatOf } from './formats'
import { countUpload } from './upload-repository'

export type PresignDeps = { sql: Sql; uploadStore: Pick<ObjectStore, 'presignPut'>; now: () => Date }
type PresignInput = { person: Person; accountId: string; type: string; bytes: number; limits: KindLimits }

/** Per account and hour: some dozens of files, including a few films. */
const uploadsHourMax = 120
const bytesHourMax = 4 * 1_073_741_824
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
  await deps.sql.begin(async sql => {
    if (!(await countUpload(sql, { accountId, now, bytes, uploadsMax: uploadsHourMax, bytesMax: bytesHourMax })))
      throw new Failure<Reason>('too_many', {
        message: 'This account has reached its upload limit for this hour. Try again later.',
        retryAfterSeconds: hourSeconds - Math.floor((now.getTime() / 1_000) % hourSeconds),
      })
    await insertAuditEntry(sql, person, { accountId, action: 'upload.made', subject: key, details: { bytes, type: format.type } })
  })
  return { put: await deps.uploadStore.presignPut(key, putSeconds, { contentType: format.type, bytes }), media_url: uploadUrlOf(key) }
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
