import type { ObjectStore } from '@filmgate/kit/object-store'
import { uploadAt } from '@filmgate/kit/upload-url'

/** Asks the store at its own endpoint; the one for browsers may be out of reach from here. */
export type HeadUploadDeps = { headUpload?: ObjectStore['head'] | undefined }

/** The key of the account's upload at this URL. Undefined for other files, and for uploads of others. */
export function ownUploadKey(url: string, accountId: string): string | undefined {
  const upload = uploadAt(url)
  return upload?.accountId === accountId ? upload.key : undefined
}

/** Whether the upload is still there; undefined if the store doesn't answer. */
export const isUploadThere = async ({ headUpload }: HeadUploadDeps, key: string): Promise<boolean | undefined> => {
  if (!headUpload) return false
  return headUpload(key).then(
    found => found !== undefined,
    () => undefined,
  )
}
