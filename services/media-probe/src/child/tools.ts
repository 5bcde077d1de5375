import type { ChildLimits, Isolation } from './sandbox'

/** The programs that children run, and the limits of a child. */
export type Tools = {
  ffprobe: string
  ffmpeg: string
  isolation: Isolation
  keepFramesArgs: readonly string[]
  childLimits: ChildLimits
  /** A child that runs longer is killed and its file rejected. */
  childDeadlineMs: number
  /** Cores available to decoders. */
  coresMax: number
}
