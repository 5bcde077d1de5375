import { createGate, type Gate } from './gate'
import type { WorkFolder } from './work-folder'

export type Places = { downloadsMax: number; measuresMax: number; copiesMax: number; diskBytesMax: number; fileBytesMax: number }

/**
 * As many downloads as the disk has room for if each is as large as a file may be, beside the copies that are being written, which take
 * half of it at most: half of them may wait for one host, a fifth for one account. An account has half of the places to measure in, as
 * nothing says beforehand what a file costs: what it sends, others don't wait for. Storing takes turns between accounts only.
 */
export function openGates(
  { downloadsMax, measuresMax, copiesMax, diskBytesMax, fileBytesMax }: Places,
  workFolder: Pick<WorkFolder, 'bytes'>,
) {
  const measurePlacesMax = Math.min(measuresMax, Math.floor(diskBytesMax / 2 / fileBytesMax))
  const downloadBytesMax = diskBytesMax - measurePlacesMax * fileBytesMax
  const placesMax = Math.min(downloadsMax, Math.floor(downloadBytesMax / fileBytesMax))
  const download: Gate = createGate({
    placesMax,
    perAccountMax: Math.ceil(placesMax / 5),
    perHostMax: Math.ceil(placesMax / 2),
    open: () => workFolder.bytes() + (download.inside() + 1) * fileBytesMax <= downloadBytesMax,
  })
  const measure = createGate({
    placesMax: measurePlacesMax,
    perAccountMax: Math.ceil(measurePlacesMax / 2),
    perHostMax: measurePlacesMax,
  })
  return { download, measure, copy: createGate({ placesMax: copiesMax, perAccountMax: copiesMax, perHostMax: copiesMax }) }
}
