import type { KindLimits, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Format } from '../limits/formats'
import type { CpuBudget } from './cpu-budget'

/** A file downloaded from a client's URL. */
export type SourceFile = {
  path: string
  /** Where the clean copy is written, in the same folder. */
  copyPath: string
  /** The folder of both files, which the child sees. */
  folder: string
  kind: MediaKind
  format: Format
  limits: KindLimits
  /** Whole seconds; 0 if nothing was declared. */
  declaredSeconds: number
  signal: AbortSignal
  /** The task's remaining CPU budget; without it, only the limit of one child applies. */
  cpu?: CpuBudget
  /** Called once the copy is written; a movie's original is opened again if its copy is damaged. */
  onCopy?: () => Promise<void>
}

/** The clean copy; only this is measured. */
export type CleanCopy = Omit<SourceFile, 'copyPath' | 'onCopy'>
