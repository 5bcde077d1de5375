import { troubleOf } from './call'
import type { HandedMedia, Uploaded } from './connector'

/** `isOurs`: the copy could not be read from our store, or not to its end, which says nothing of the provider. */
export class UploadTrouble extends Error {
  override name = 'UploadTrouble'
  constructor(
    words: string,
    readonly isOurs: boolean,
    cause?: unknown,
  ) {
    super(words, { cause })
  }
}

/** What an attempt ends with whose inputs could not be handed over: nothing was sent. */
export function notSent(error: unknown): Uploaded {
  if (!(error instanceof UploadTrouble)) throw error
  return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${error.message}`, inputsUnread: error.isOurs }
}

/** Our copy, by the address that a provider would have been given. */
export async function readOurs({ url }: HandedMedia, signal: AbortSignal) {
  const answer = await fetch(url, { signal }).catch((error: unknown) => {
    throw new UploadTrouble(`our store gave no input: ${troubleOf(error)}`, true, error)
  })
  const bytes = Number(answer.headers.get('content-length') ?? Number.NaN)
  const contentType = answer.headers.get('content-type')
  if (answer.ok && answer.body && contentType && bytes > 0) return { body: answer.body, bytes, contentType }
  await answer.body?.cancel()
  throw new UploadTrouble(`our store answered ${answer.status} to an input`, true)
}
