import { createReadStream } from 'node:fs'
import { invariant } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Format } from '../measuring/sniff'
import { contentTypes } from './object-keys'

export type CopyInput = { path: string; key: string; format: Format; bytes: number; sha256: string; signal: AbortSignal }

/** Stores the measured file, in parts that the store checks, and looks that all of it is there. */
export async function copyInput(store: ObjectStore, { path, key, format, bytes, sha256, signal }: CopyInput): Promise<void> {
  await store.put(key, createReadStream(path), { contentType: contentTypes[format], sha256, signal })
  const stored = await store.head(key)
  invariant(stored?.bytes === bytes, `${key} has ${stored?.bytes} bytes in the store, ${bytes} on disk`)
}
