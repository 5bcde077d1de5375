import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore, PresignedPut } from '@filmgate/kit/object-store'
import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import type { KindLimits } from '../models/model'
import { formatOf, formatWords } from './formats'
import { countUpload } from './upload-repository'

export type PresignDeps = { sql: Sql; uploadStore: Pick<ObjectStore, 'presignPut'>; now: () => Date }
type Asked = { person: Person; accountId: string; type: string; bytes: number; limits: KindLimits }

/** An hour of one account: some dozens of files, of which a few are films. */
const uploadsHourMax = 120
const bytesHourMax = 4 * 1_073_741_824
const putSeconds = 15 * 60
const mebibyte = 1_048_576
const hourSeconds = 3_600

/** An address that takes exactly this file, and what a request then names it by. */
export async function presignUpload(
  deps: PresignDeps,
  { person, accountId, type, bytes, limits }: Asked,
): Promise<{ put: PresignedPut; media_url: string }> {
  const format = formatOf(type, limits.formats)
  if (!format) throw new Failure<Reason>('invalid_request', { message: `This model takes ${formatWords(limits.formats)} here.` })
  if (limits.bytes_max !== undefined && bytes > limits.bytes_max)
    throw new Failure<Reason>('invalid_request', {
      message: `This model takes at most ${Math.floor(limits.bytes_max / mebibyte)} MiB here.`,
    })
  const key = `${accountId}/${randomName()}.${format.ending}`
  const now = deps.now()
  await deps.sql.begin(async sql => {
    if (!(await countUpload(sql, { accountId, now, bytes, uploadsMax: uploadsHourMax, bytesMax: bytesHourMax })))
      throw new Failure<Reason>('too_many', {
        message: 'This account has uploaded as much as it may in an hour. Try again later.',
        retryAfterSeconds: hourSeconds - Math.floor((now.getTime() / 1_000) % hourSeconds),
      })
    await insertAct(sql, person, { accountId, act: 'upload.made', subject: key, details: { bytes, type: format.type } })
  })
  return { put: await deps.uploadStore.presignPut(key, putSeconds, { contentType: format.type, bytes }), media_url: uploadUrlOf(key) }
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const nameCharacters = 22

/** 130 bits of chance, as much as a random UUID and a little more. */
function randomName(): string {
  let name = ''
  // A byte beyond the last whole multiple of the letters would favour the first of them.
  const fair = 256 - (256 % letters.length)
  while (name.length < nameCharacters)
    for (const byte of crypto.getRandomValues(new Uint8Array(nameCharacters)))
      if (byte < fair && name.length < nameCharacters) name += letters[byte % letters.length]
  return name
}
