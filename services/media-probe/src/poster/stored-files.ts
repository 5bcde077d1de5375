import { open } from 'node:fs/promises'

/** The video's retention has ended. */
export class VideoDeleted extends Error {
  override name = 'VideoGone'
}

/** Only the start and the end of a video are read: some writers put the header at the end. */
const headBytes = 16 * 1024 * 1024
const tailBytes = 4 * 1024 * 1024

export type ReadVideoInput = { url: string; bytes: number; path: string; signal: AbortSignal }

/** Writes the start and end of a video into a sparse file of its full length. */
export async function readVideo(storeOrigin: string, { url, bytes, path, signal }: ReadVideoInput): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for (const { from, to } of partsOf(bytes)) {
      const response = await fetchFromStore(storeOrigin, url, { headers: { range: `bytes=${from}-${to - 1}` }, signal })
      if (response.status !== 206 || !response.body) throw await storeErrorOf(response)
      let at = from
      for await (const chunk of response.body) {
        if (at + chunk.length > to) throw new Error('the store sent more of the video than requested')
        await file.write(chunk, 0, chunk.length, at)
        at += chunk.length
      }
      if (at !== to) throw new Error(`the store sent ${at - from} of ${to - from} bytes`)
    }
    await file.truncate(bytes)
  } finally {
    await file.close()
  }
}

/** Releases the connection. */
async function storeErrorOf(response: Response): Promise<Error> {
  await response.body?.cancel()
  const message = `the store answered ${response.status} to a part of the video`
  return response.status === 404 ? new VideoDeleted(message) : new Error(message)
}

const partsOf = (bytes: number) =>
  bytes <= headBytes + tailBytes
    ? [{ from: 0, to: bytes }]
    : [
        { from: 0, to: headBytes },
        { from: bytes - tailBytes, to: bytes },
      ]

export type UploadPosterInput = { url: string; headers: Record<string, string>; jpeg: Buffer<ArrayBuffer>; signal: AbortSignal }

export async function uploadPoster(storeOrigin: string, { url, headers, jpeg, signal }: UploadPosterInput): Promise<void> {
  const response = await fetchFromStore(storeOrigin, url, { method: 'PUT', headers, body: jpeg, signal })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the store answered ${response.status} to the poster`)
}

/** Requests go only to our own store, whatever URL the event has, and redirects are not followed. */
function fetchFromStore(storeOrigin: string, url: string, init: RequestInit): Promise<Response> {
  if (URL.parse(url)?.origin !== storeOrigin) throw new Error(`the URL is not of our store, ${storeOrigin}`)
  return fetch(url, { ...init, redirect: 'manual' })
}
