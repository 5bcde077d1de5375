import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** One file and what must come of it. */
export type Sample = { name: string; kind: MediaKind; body: Uint8Array | Bun.BunFile; declaredSeconds?: number; codes: string[] }

export const ok = ['verified']
export const corrupt = ['media_corrupt']
export const unsupported = ['media_type_unsupported']

export const image = (name: string, body: Sample['body'], codes: string[]): Sample => ({ name, kind: MediaKind.IMAGE, body, codes })
export const video = (name: string, body: Sample['body'], codes: string[], declaredSeconds = 3): Sample => ({
  name,
  kind: MediaKind.VIDEO,
  body,
  codes,
  declaredSeconds,
})
export const audio = (name: string, body: Sample['body'], codes: string[], declaredSeconds = 3): Sample => ({
  name,
  kind: MediaKind.AUDIO,
  body,
  codes,
  declaredSeconds,
})

export const text = (words: string) => Buffer.from(words)

/** The same file cut at every tenth of its length. */
export const truncations = (
  make: (name: string, body: Buffer, codes: string[]) => Sample,
  name: string,
  whole: Buffer,
  codes: string[],
): Sample[] =>
  [1, 2, 3, 4, 5, 6, 7, 8, 9].map(tenth =>
    make(`${name} cut at ${tenth}/10`, whole.subarray(0, Math.floor((whole.length * tenth) / 10)), codes),
  )
