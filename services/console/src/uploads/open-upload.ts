import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { PresignedPut } from '@filmgate/kit/object-store'
import { formatNames, uploadFormatOf } from '@filmgate/proto/upload-formats'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Gateway, GatewayError, OpenedUpload } from '../gateway/gateway'
import type { Person } from '../http/person'
import type { KindLimits } from '../models/model'
import { ownUploadKey } from './own-upload'

export type OpenUploadDeps = { sql: Sql; gateway: Gateway }
type OpenUploadInput = { person: Person; accountId: string; type: string; bytes: number; limits: KindLimits }

const mebibyte = 1_048_576

/** A signed PUT for exactly this file, and the address that a request uses for it. */
export async function openUpload(
  { sql, gateway }: OpenUploadDeps,
  { person, accountId, type, bytes, limits }: OpenUploadInput,
): Promise<{ put: PresignedPut; media_url: string }> {
  const format = uploadFormatOf(type, limits.formats)
  if (!format) throw new Failure<Reason>('invalid_request', { message: `This model accepts ${formatNames(limits.formats)} here.` })
  if (limits.bytes_max !== undefined && bytes > limits.bytes_max)
    throw new Failure<Reason>('invalid_request', {
      message: `This model accepts at most ${Math.floor(limits.bytes_max / mebibyte)} MiB here.`,
    })
  const path = `/accounts/${accountId}/uploads`
  const opened = await gateway.request<OpenedUpload>(person, { method: 'POST', path, body: { type: format.type, bytes } })
  if (!opened.ok) throw refused(opened)
  const { url, put_url, put_headers } = opened.value
  const subject = ownUploadKey(url, accountId) ?? url
  await insertAuditEntry(sql, person, { accountId, action: 'upload.made', subject, details: { bytes, type: format.type } })
  return { put: { url: put_url, headers: put_headers }, media_url: url }
}

function refused({ status, message, retryAfter }: GatewayError): Failure<Reason> {
  if (status === 429) return new Failure('too_many', { message, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) })
  return new Failure(status >= 500 ? 'service_unavailable' : 'invalid_request', { message })
}
