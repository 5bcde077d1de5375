import { openAsBlob } from 'node:fs'
import { ALL_FORMATS, BlobSource, Input } from 'mediabunny'

/** The length of a video or a sound in seconds; undefined where its form is not known. */
export async function durationOf(path: string): Promise<number | undefined> {
  try {
    const input = new Input({ source: new BlobSource(await openAsBlob(path)), formats: ALL_FORMATS })
    return await input.computeDuration()
  } catch {
    return undefined
  }
}
