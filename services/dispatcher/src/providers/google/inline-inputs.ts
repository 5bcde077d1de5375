import { troubleOf } from '../call'
import type { HandedMedia, Uploaded } from '../connector'
import { notSent, readOurs, UploadTrouble } from '../read-ours'
import type { Places } from './places'

export type InlineOptions = {
  /** For all pictures of one order, from the wait for a place to the last byte. */
  timeoutMs: number
  bytesMax: number
  places: Places
}

/** Of all pictures of one order: as base64 they stay under the 20 MB that a request could have before January 2026 (ai.google.dev/gemini-api/docs/changelog). */
export const inlineBytesMax = 14_000_000

/** What both of Google's formats name, and our clean copies are. */
const mimeTypes = ['image/jpeg', 'image/png', 'image/webp']

/**
 * Pictures as `data:` addresses: Google takes them as base64 within a submit, and reads no address of ours. They are read one after another,
 * and the place that was waited for is held until their submit gives it back.
 */
export async function inlineInputs(
  { timeoutMs, bytesMax, places }: InlineOptions,
  media: HandedMedia[],
  signal: AbortSignal,
): Promise<Uploaded> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const inlined: HandedMedia[] = []
  try {
    await places.take(inlined, ending).catch((error: unknown) => {
      throw new UploadTrouble(`no place among those that hold pictures: ${troubleOf(error)}`, true, error)
    })
    let bytesLeft = bytesMax
    for (const one of media) {
      const { mimeType, bytes } = await readCopy(one, bytesLeft, ending)
      bytesLeft -= bytes.length
      inlined.push({ ...one, url: `data:${mimeType};base64,${bytes.toString('base64')}` })
    }
  } catch (error) {
    places.giveBack(inlined)
    return notSent(error)
  }
  return { outcome: 'uploaded', media: inlined }
}

async function readCopy(one: HandedMedia, bytesMax: number, signal: AbortSignal): Promise<{ mimeType: string; bytes: Buffer }> {
  const { body, bytes, contentType: mimeType } = await readOurs(one, signal)
  const fault = faultOf(mimeType, bytes - bytesMax)
  if (fault !== undefined) {
    await body.cancel()
    throw new UploadTrouble(fault, false)
  }
  // Never more than what was declared: a body that is longer or shorter than that is broken off.
  const read = await new Response(body).arrayBuffer().catch((error: unknown) => {
    throw new UploadTrouble(`an input broke off on its way from our store: ${troubleOf(error)}`, true, error)
  })
  return { mimeType, bytes: Buffer.from(read) }
}

function faultOf(mimeType: string, bytesOver: number): string | undefined {
  if (!mimeTypes.includes(mimeType)) return 'an input is no picture that Google takes'
  return bytesOver > 0 ? 'the pictures are more than a request to Google holds' : undefined
}
