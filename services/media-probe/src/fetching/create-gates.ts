import { createGate, type Gate } from './gate'
import type { WorkFolder } from './work-folder'

export type GateSizes = { downloadsMax: number; measuresMax: number; copiesMax: number; diskBytesMax: number; fileBytesMax: number }

/**
 * As many downloads as the disk has room for if each is as large as a file may be, beside the copies that are being written, which take
 * half of it at most: half of them may wait for one host, a fifth for one account. An account has half of the places to measure in, as
 * nothing says beforehand what a file costs: what it sends, others don't wait for. Storing takes turns between accounts only.
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
