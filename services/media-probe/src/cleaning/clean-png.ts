import { reject } from '../errors'
import { readOrientation, writeExif } from './picture/orientation'
import { type CleanOptions, displaySize, type Picture } from './picture/picture'
import { type Chunk, checksumMatches, readChunk, writeChunk } from './png/chunks'
import { readPngColour } from './png/colour'
import { readPngHeader } from './png/header'
import { inflatePixels } from './png/inflate-pixels'

const signatureBytes = 8
const chunksMax = 100_000

/**
 * Copies only header, palette, transparency, colour, orientation and pixels of a PNG. Inflates the pixels to exactly
 * the size of the header; texts are never inflated.
 */
export async function cleanPng(bytes: Buffer, { checkDisplaySize, signal }: CleanOptions): Promise<Picture> {
  const { header, before, pixels, orientation } = readChunks(bytes)
  const coded = readPngHeader(header)
  checkDisplaySize(displaySize(coded, orientation))
  if (pixels.length === 0) throw brokenFault('without pixels')
  const colours = palette(coded.colour, before)
  const compressed = await inflatePixels(coded, pixels, signal)
  const buffers = [
    bytes.subarray(0, signatureBytes),
    ...writeChunk('IHDR', header),
    ...(await readPngColour(before)).flatMap(({ type, data }) => writeChunk(type, data)),
    ...(orientation === undefined ? [] : writeChunk('eXIf', writeExif(orientation))),
    ...colours.flatMap(({ type, data }) => writeChunk(type, data)),
    ...writeChunk('IDAT', ...compressed),
    ...writeChunk('IEND'),
  ]
  return { coded, orientation, buffers }
}

type Content = { header: Buffer; before: Chunk[]; pixels: Buffer[]; orientation: number | undefined }

/** Reads chunks up to the end of the picture; checks the checksums of those that are used. */
function readChunks(bytes: Buffer): Content {
  const before: Chunk[] = []
  const pixels: Buffer[] = []
  let pixelsEnded = false
  let orientation: number | undefined
  let offset = signatureBytes
  for (let count = 0; ; count += 1) {
    if (count === chunksMax) throw brokenFault(`of more than ${chunksMax} chunks`)
    const next = readChunk(bytes, offset)
    if (!next) {
      // A cut after the last pixels loses nothing; inflating shows whether pixels are missing.
      if (pixels.length > 0 && !isPixels(bytes, offset)) break
      throw brokenFault(`that ends at byte ${bytes.length}`)
    }
    const { type, data, end } = next
    if (isCritical(type) && !checksumMatches(bytes, offset, end)) throw brokenFault(`with a wrong checksum at byte ${offset}`)
    if (type === 'acTL' && data.length >= 4 && data.readUInt32BE(0) > 1) throw animatedFault()
    if (type === 'eXIf' && orientation === undefined) orientation = readOrientation(data)
    if (type === 'IDAT' && !pixelsEnded) pixels.push(data)
    else if (pixels.length > 0) pixelsEnded = true
    else if (checksumMatches(bytes, offset, end)) before.push(next)
    offset = end
    if (type === 'IEND') break
  }
  if (before[0]?.type !== 'IHDR' || before.filter(({ type }) => type === 'IHDR').length > 1)
    throw brokenFault('without one header at its start')
  return { header: before[0].data, before, pixels, orientation }
}

const isPixels = (bytes: Buffer, offset: number) => bytes.toString('latin1', offset + 4, offset + 8) === 'IDAT'
/** IEND has no data to check. */
const isCritical = (type: string) => /^[A-Z]/.test(type) && type !== 'IEND'
/** The palette and transparent colours that the colour type (0 gray, 2 RGB, 3 palette) permits. */
function palette(colour: number, before: Chunk[]): Chunk[] {
  const first = (type: string) => before.find(each => each.type === type)
  const [colours, clear] = [first('PLTE'), first('tRNS')]
  const entries = (colours?.data.length ?? 0) / 3
  if (colour === 3 && (!Number.isInteger(entries) || entries < 1 || entries > 256)) throw brokenFault('without a palette')
  const clearBytesMax = { 0: 2, 2: 6, 3: entries }[colour] ?? 0
  const fits = clear && (colour === 3 ? clear.data.length <= clearBytesMax : clear.data.length === clearBytesMax)
  return [...(colour === 3 && colours ? [colours] : []), ...(fits && clear.data.length > 0 ? [clear] : [])]
}

const animatedFault = () => reject('media_type_unsupported', { measured: 'an animated PNG', limit: 'a still picture: save it as JPEG' })
const brokenFault = (problem: string) => reject('media_corrupt', { measured: `a PNG ${problem}`, limit: 'a whole PNG' })
