import type { KindLimits, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { CpuBudget } from './cpu-budget'
import type { ChildLimits, Isolation } from './sandbox'
import type { Format } from './sniff'

/** What is known of a file after it was decoded to its end. Zero where the kind has no such thing. */
export type Measured = { format: Format; width: number; height: number; frameRate: number; seconds: number }

export type Tools = {
  ffprobe: string
  ffmpeg: string
  isolation: Isolation
  keepFrames: readonly string[]
  childLimits: ChildLimits
  /** A child that runs longer is killed and its file refused. */
  childDeadlineMs: number
  /** No decoder is told of more. */
  coresMax: number
}

/** A file that a client's URL led to. */
export type Sample = {
  path: string
  /** Where our own copy of it is written, in the same folder; nothing is there yet. */
  copyPath: string
  /** The folder that holds both and that a child sees. */
  folder: string
  kind: MediaKind
  format: Format
  limits: KindLimits
  /** Whole seconds, 0 where nothing was declared. */
  declaredSeconds: number
  signal: AbortSignal
  /** What is left to the task that the file is of; a file by itself has no more bounds than one child's. */
  cpu?: CpuBudget
  /** Called as soon as the copy stands: the client's file is not opened again. */
  onCopy?: () => Promise<void>
}

/** The copy, which alone is measured. */
export type Copy = Omit<Sample, 'copyPath' | 'onCopy'>
