import type { KindLimits, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Format } from '../limits/formats'
import type { CpuBudget } from './cpu-budget'

/** A file that a client's URL led to. */
export type SourceFile = {
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
export type CleanCopy = Omit<SourceFile, 'copyPath' | 'onCopy'>
