import type { PresignedPut } from '@filmgate/kit/object-store'
import { uploadsKeptMs, urlOf } from './open-upload'
import type { Upload } from './upload-repository'

/** What a client gets once: the PUT that takes the file, and the URL that requests name it by. */
export const openedUploadView = (upload: Upload, { url, headers }: PresignedPut) => ({
  id: upload.id,
  put_url: url,
  put_headers: headers,
  url: urlOf(upload),
  expires_at: expiresAt(upload),
})

/** `waiting`: the file has not arrived, or is not judged yet. */
export function uploadView(upload: Upload) {
  const { id, finding } = upload
  const shown = { id, status: statuses[finding?.verdict ?? 'none'], expires_at: expiresAt(upload) }
  return finding?.verdict === 'rejected' ? { ...shown, issue: { code: finding.code, message: finding.message } } : shown
}

const statuses = { none: 'waiting', fits: 'accepted', rejected: 'refused' } as const

const expiresAt = ({ createdAt }: Upload): string => new Date(createdAt.getTime() + uploadsKeptMs).toISOString()
