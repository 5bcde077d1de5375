import type { ChildLimits, Isolation } from './sandbox'

/** The programs that children run, and what a child may use. */
export type Tools = {
  ffprobe: string
  ffmpeg: string
  isolation: Isolation
  keepFramesArgs: readonly string[]
  childLimits: ChildLimits
  /** A child that runs longer is killed and its file refused. */
  childDeadlineMs: number
  /** The cores that decoders count on. */
  coresMax: number
}
