import type { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'

export type Extension = 'jpeg' | 'png' | 'webp' | 'mp4' | 'mov' | 'mp3' | 'wav'

/** What is known of a file because the recipe says so. Zero or absent where its kind has no such thing. */
export type Known = {
  /** As seen: turned where the file says so. */
  width: number
  height: number
  seconds: number
  frames: number
  /** Length of a frame of the picture or of the sound: what a length may be off by. */
  frameSeconds: number
  /** Degrees clockwise of a movie, EXIF's number of a JPEG. */
  orientation: number
  sound: boolean
  colour?: { primaries: string; transfer: string; matrix: string } | undefined
  /** SHA-256 of the ICC profile that must survive. */
  profile?: string | undefined
  /** Where pixels aren't square, what a player shows. */
  shown?: { width: number; height: number } | undefined
  /** Cut between key frames, so that the copy's frames need not be the client's own. */
  encodedAgain?: boolean
  /** Codecs that Chromium of Debian doesn't play are judged without it. */
  chromium: boolean
}

export type Recipe = {
  family: string
  name: string
  kind: MediaKind
  extension: Extension
  /** One of each family is tried by `bun run test`, which has nothing but ffmpeg. */
  short?: boolean
  known: Known
  /** What the client says of its length; what the recipe knows where it isn't told. */
  declaredSeconds?: number
  make(): Promise<Buffer>
}

const still = { seconds: 0, frames: 0, frameSeconds: 0, sound: false, chromium: true }
export const picture = (width: number, height: number, more: Partial<Known> = {}): Known => ({
  ...still,
  width,
  height,
  orientation: 1,
  ...more,
})
export const sound = (seconds: number, frameSeconds: number, more: Partial<Known> = {}): Known => ({
  ...still,
  width: 0,
  height: 0,
  orientation: 0,
  sound: true,
  seconds,
  frameSeconds,
  ...more,
})
