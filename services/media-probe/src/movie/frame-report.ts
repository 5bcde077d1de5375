import { pixelsMax } from '../child/ffprobe'
import { reject } from '../errors'

export type FrameSize = { width: number; height: number }

/** The frames of ffmpeg's filter `showinfo`, in display order. */
export const reportedFrames = (stderr: string): FrameSize[] =>
  [...stderr.matchAll(frameLine)].map(([, width, height]) => ({ width: Number(width), height: Number(height) }))

const frameLine = /^\[Parsed_showinfo_\d+ @ [0-9a-fx]+\] \[info\] n: *\d+ pts: *-?\d+ .* s:(\d+)x(\d+) /gm

/** 30 s of frames and sound at 200 bytes a line, plus side data. */
export const reportBytesMax = 16 * 1024 * 1024

/** Decoders round sides up to whole blocks and draw past the edges, by at most this. */
const marginPixels = 256
export const codedPixels = ({ width, height }: FrameSize) => Math.min(pixelsMax, (width + marginPixels) * (height + marginPixels))

/** Refuses a movie whose frames don't have one size. */
export function checkOneSize(frames: FrameSize[], { width, height }: FrameSize): void {
  const other = frames.findIndex(frame => frame.width !== width || frame.height !== height)
  const { width: otherWidth, height: otherHeight } = frames[other] ?? { width, height }
  if (other >= 0)
    throw reject('media_dimensions', {
      measured: `${width} × ${height} px, then ${otherWidth} × ${otherHeight} px from frame ${other + 1}`,
      limit: 'one size throughout',
    })
}
