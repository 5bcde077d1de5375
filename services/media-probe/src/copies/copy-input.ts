import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { invariant } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Format } from '../limits/formats'
import { contentTypes } from './object-keys'

export type CopyInput = { path: string; key: string; format: Format; signal: AbortSignal }
export type StoredObject = { bytes: number; sha256: string }

/** Uploads the measured copy in checksummed parts and verifies its stored size. */
export async function copyInput(store: ObjectStore, { path, key, format, signal }: CopyInput): Promise<StoredObject> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  const sha256 = hash.digest('hex')
  await store.put(key, createReadStream(path), { contentType: contentTypes[format], sha256, signal })
  const stored = await store.head(key)
  invariant(stored?.bytes === bytes, `${key} has ${stored?.bytes} bytes in the store, ${bytes} on disk`)
  return { bytes, sha256 }
}
