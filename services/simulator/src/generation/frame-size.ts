export type FrameSize = { width: number; height: number }

/** The shorter side of each resolution word, in pixels. */
const shortSides: Record<string, number> = {
  '180p': 180,
  '360p': 360,
  '480p': 480,
  '512p': 512,
  '540p': 540,
  '720p': 720,
  '768p': 768,
  hd: 720,
  '1080p': 1080,
  fhd: 1080,
  '2k': 1440,
  '4k': 2160,
}

/** H.264 with 4:2:0 colour wants even sides. */
const even = (pixels: number) => Math.round(pixels / 2) * 2

/** Pixels of "768p" at "16:9". `adaptive` takes the ratio of what was given to start from, else 16:9. Undefined where a word is unknown. */
export function frameSize(resolution: string, aspectRatio: string, given?: FrameSize): FrameSize | undefined {
  const short = shortSides[resolution.toLowerCase()]
  const ratio = ratioOf(aspectRatio, given)
  if (!short || !ratio) return undefined
  return ratio >= 1 ? { width: even(short * ratio), height: short } : { width: short, height: even(short / ratio) }
}

export const isKnownSize = (resolution: string, aspectRatio: string) => frameSize(resolution, aspectRatio) !== undefined

function ratioOf(aspectRatio: string, given: FrameSize | undefined): number | undefined {
  // Providers bound the ratio whatever they are given.
  if (aspectRatio === 'adaptive') return given ? Math.min(2.5, Math.max(0.4, given.width / given.height)) : 16 / 9
  const [, across, down] = aspectRatio.match(/^([1-9]\d?):([1-9]\d?)$/) ?? []
  return across && down ? Number(across) / Number(down) : undefined
}
