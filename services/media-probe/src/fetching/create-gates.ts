import { createGate, type Gate } from './gate'
import type { WorkFolder } from './work-folder'

export type GateSizes = { downloadsMax: number; measuresMax: number; copiesMax: number; diskBytesMax: number; fileBytesMax: number }

/**
 * Sizes the gates so that files of maximum size fit on disk; copies get at most half. A host gets half of the
 * download slots, an account a fifth of these and half of the measure slots.
 */
export function createGates(
  { downloadsMax, measuresMax, copiesMax, diskBytesMax, fileBytesMax }: GateSizes,
  workFolder: Pick<WorkFolder, 'bytes'>,
) {
  const measureSlotsMax = Math.min(measuresMax, Math.floor(diskBytesMax / 2 / fileBytesMax))
  const downloadBytesMax = diskBytesMax - measureSlotsMax * fileBytesMax
  const downloadSlotsMax = Math.min(downloadsMax, Math.floor(downloadBytesMax / fileBytesMax))
  const download: Gate = createGate({
    slotsMax: downloadSlotsMax,
    perAccountMax: Math.ceil(downloadSlotsMax / 5),
    perHostMax: Math.ceil(downloadSlotsMax / 2),
    canGrant: () => workFolder.bytes() + (download.inUse() + 1) * fileBytesMax <= downloadBytesMax,
  })
  const measure = createGate({
    slotsMax: measureSlotsMax,
    perAccountMax: Math.ceil(measureSlotsMax / 2),
    perHostMax: measureSlotsMax,
  })
  return { download, measure, copy: createGate({ slotsMax: copiesMax, perAccountMax: copiesMax, perHostMax: copiesMax }) }
}
