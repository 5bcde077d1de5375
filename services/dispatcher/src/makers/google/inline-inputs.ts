import { troubleOf } from '../call'
import type { HandedMedia, Uploaded } from '../connector'
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

/** `isOurs`: the copy could not be read from our store, or not to its end, which says nothing of the maker. */
class InlineTrouble extends Error {
  override name = 'InlineTrouble'
  constructor(
    words: string,
    readonly isOurs: boolean,
    cause?: unknown,
  ) {
    super(words, { cause })
  }
}

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
      throw new InlineTrouble(`no place among those that hold pictures: ${troubleOf(error)}`, true, error)
    })
    let bytesLeft = bytesMax
    for (const one of media) {
      const { mimeType, bytes } = await readCopy(one, bytesLeft, ending)
      bytesLeft -= bytes.length
      inlined.push({ ...one, url: `data:${mimeType};base64,${bytes.toString('base64')}` })
    }
  } catch (error) {
    places.giveBack(inlined)
    if (!(error instanceof InlineTrouble)) throw error
    return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${error.message}`, inputsUnread: error.isOurs }
  }
  return { outcome: 'uploaded', media: inlined }
}

/** Our copy, by the address that another maker would have been given. */
async function readCopy({ url }: HandedMedia, bytesMax: number, signal: AbortSignal): Promise<{ mimeType: string; bytes: Buffer }> {
  const answer = await fetch(url, { signal }).catch((error: unknown) => {
    throw new InlineTrouble(`our store gave no input: ${troubleOf(error)}`, true, error)
  })
  const mimeType = answer.headers.get('content-type') ?? ''
  const fault = faultOf(answer, mimeType, bytesMax)
  if (fault) await answer.body?.cancel()
  if (fault) throw fault
  const chunks: Uint8Array[] = []
  let count = 0
  try {
    for await (const chunk of answer.body ?? []) {
      count += chunk.length
      if (count > bytesMax) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof InlineTrouble) throw error
    throw new InlineTrouble(`an input broke off on its way from our store: ${troubleOf(error)}`, true, error)
  }
  return { mimeType, bytes: Buffer.concat(chunks) }
}

function faultOf({ ok, status, headers }: Response, mimeType: string, bytesMax: number): InlineTrouble | undefined {
  if (!ok) return new InlineTrouble(`our store answered ${status} to an input`, true)
  if (!mimeTypes.includes(mimeType)) return new InlineTrouble('an input is no picture that Google takes', false)
  return Number(headers.get('content-length') ?? 0) > bytesMax ? tooLarge() : undefined
}

const tooLarge = () => new InlineTrouble('the pictures are more than a request to Google holds', false)
