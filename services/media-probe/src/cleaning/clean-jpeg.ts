import { setImmediate } from 'node:timers/promises'
import { reject } from '../errors'
import { readJpegColour, writeJpegColour } from './jpeg/colour'
import { createScans } from './jpeg/scans'
import { exactData, segment } from './jpeg/segments'
import { type CleanOptions, displaySize, type Picture, type Size } from './picture/picture'

const markersMax = 10_000
/** Scanned in a few milliseconds. */
const sliceBytes = 2 * 1024 * 1024
const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda]
/** Huffman tables, quantisation tables and restart interval. */
const tables = [0xc4, 0xdb, 0xdd]
/** Baseline, extended and progressive. Frame types that no browser shows are rejected by name. */
const frames = [0xc0, 0xc1, 0xc2]
const progressive = 0xc2
const unsupportedFrames: Record<number, string> = { 195: 'lossless', 197: 'hierarchical', 198: 'hierarchical', 199: 'hierarchical' }

/** Scanners write it, and no browser shows it. */
const deepBits = 12

type Segment = { marker: number; data: Buffer }

/**
 * Copies only the first picture of a JPEG: tables, frame, scans, orientation and colour profile.
 * The scans are not decoded here: ffmpeg finds missing ones.
 */
export async function cleanJpeg(bytes: Buffer, { checkDisplaySize }: CleanOptions): Promise<Picture> {
  const kept: Buffer[] = []
  const applications: Segment[] = []
  const scans = createScans()
  let size: Size | undefined
  let lastScan = 0
  let ended = false
  let offset = 2
  for (let markers = 0; !ended; markers += 1) {
    if (markers >= markersMax) throw damagedFault('more than 10,000 markers')
    offset = findMarker(bytes, offset)
    const marker = bytes[offset + 1]
    if (marker === undefined || (scans.count > 0 && !isWholeSegment(bytes, offset))) break
    if (marker === endOfImage) ended = true
    offset += 2
    if (isStandalone(marker)) continue
    if (marker === startOfImage) throw damagedFault('a second picture inside the first')
    const data = readSegment(bytes, offset)
    offset += 2 + data.length
    if (frames.includes(marker)) {
      if (size) throw damagedFault('two frame headers')
      if (data[0] === deepBits) throw unsupportedFault(`of ${deepBits} bits a colour`)
      size = scans.begin(data, marker === progressive)
      kept.push(...segment(marker, exactData(marker, data)))
    } else if (isFrame(marker)) throw unsupportedFault(`of a rare kind (${unsupportedFrames[marker] ?? 'arithmetic coding'})`)
    else if (tables.includes(marker)) kept.push(...segment(marker, exactData(marker, data)))
    else if (marker === startOfScan) {
      const end = await skipScan(bytes, offset)
      scans.add(data)
      lastScan = kept.push(...segment(marker, data), bytes.subarray(offset, end)) - 1
      offset = end
    } else if (isApplication(marker) && scans.count === 0) applications.push({ marker, data })
  }
  if (!size || scans.count === 0) throw ended ? damagedFault('no picture in it') : truncatedFault(bytes.length)
  if (!ended) {
    // Trailing zeros after a cut would decode as gray picture data without an error.
    kept[lastScan] = withoutZeros(kept[lastScan] ?? Buffer.alloc(0))
    if (!scans.complete()) throw truncatedFault(bytes.length)
  }
  if (!scans.everyComponent()) throw damagedFault('no data for one of its colours')
  const colour = readJpegColour(applications)
  checkDisplaySize(displaySize(size, colour.orientation))
  return {
    coded: size,
    orientation: colour.orientation,
    buffers: [markerBytes(startOfImage), ...writeJpegColour(colour), ...kept, markerBytes(endOfImage)],
  }
}

const markerBytes = (marker: number) => Buffer.from([0xff, marker])

/** The next 0xff that starts a marker. Bytes between segments are skipped, and 0xff may repeat before a marker. */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (bytes[at] === 0xff && bytes[at + 1] !== 0x00 && bytes[at + 1] !== 0xff) return at
  return bytes.length
}

const isStandalone = (marker: number) => marker === 0x01 || marker === endOfImage || (marker >= 0xd0 && marker <= 0xd7)
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && !tables.includes(marker) && marker !== 0xc8
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef

function isWholeSegment(bytes: Buffer, offset: number): boolean {
  const marker = bytes[offset + 1] ?? 0
  return isStandalone(marker) || (offset + 4 <= bytes.length && offset + 2 + bytes.readUInt16BE(offset + 2) <= bytes.length)
}

function readSegment(bytes: Buffer, offset: number): Buffer {
  const length = offset + 2 > bytes.length ? 0 : bytes.readUInt16BE(offset)
  if (length < 2 || offset + length > bytes.length) throw truncatedFault(offset)
  return bytes.subarray(offset + 2, offset + length)
}

/**
 * Skips to the next marker other than a stuffed byte or a restart, and yields to the event loop between slices:
 * a scan may hold 15 million stuffed bytes.
 */
async function skipScan(bytes: Buffer, from: number): Promise<number> {
  const last = bytes.length - 1
  for (let start = from; start < last; start += sliceBytes) {
    if (start > from) await setImmediate()
    for (let at = start; at < Math.min(start + sliceBytes, last); at += 1) {
      if (bytes[at] !== 0xff) continue
      const next = bytes[at + 1] ?? 0
      if (next !== 0x00 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
    }
  }
  return bytes.length
}

/** A zero after 0xff is data. */
function withoutZeros(scan: Buffer): Buffer {
  let end = scan.length
  while (end > 0 && scan[end - 1] === 0 && scan[end - 2] !== 0xff) end -= 1
  return scan.subarray(0, end)
}

const limit = 'a whole JPEG: save it again and send that'
const truncatedFault = (offset: number) => reject('media_corrupt', { measured: `a JPEG that ends or breaks at byte ${offset}`, limit })
const damagedFault = (what: string) => reject('media_corrupt', { measured: `a JPEG with ${what}`, limit })
const unsupportedFault = (what: string) =>
  reject('media_type_unsupported', {
    measured: `a JPEG ${what}`,
    limit: 'a usual JPEG (baseline or progressive): save it again and send that',
  })
