import { reject } from '../errors'
import { profileBytesMax, readProfile } from './picture/colour-profile'
import { readOrientation, writeExif } from './picture/orientation'
import { type CleanOptions, displaySize, type Picture, type Size } from './picture/picture'
import { type RiffChunk, readRiff } from './riff'

const [animationFlag, profileFlag, alphaFlag, exifFlag] = [0x02, 0x20, 0x10, 0x08]

/**
 * Copies only picture, transparency, orientation and colour profile of a WebP, under a new header.
 * The picture is not decoded here: ffmpeg finds missing parts.
 */
export async function cleanWebp(bytes: Buffer, { checkDisplaySize }: CleanOptions): Promise<Picture> {
  const chunks = readRiff(bytes, 'WebP')
  const extended = chunks[0]?.type === 'VP8X' ? chunks[0].data : undefined
  if ((extended?.[0] ?? 0) & animationFlag || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) throw animatedFault()
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const [image] = images
  if (!image || images.length > 1) throw brokenFault(`of ${images.length} pictures`)
  const coded = image.type === 'VP8L' ? losslessSize(image.data) : lossySize(image.data)
  // Without the extended header, readers ignore all other chunks.
  const first = (type: string) => (extended ? chunks.find(chunk => chunk.type === type)?.data : undefined)
  if (extended) checkCanvas(extended, coded)
  const exif = first('EXIF')
  const orientation = exif && readOrientation(exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)
  checkDisplaySize(displaySize(coded, orientation))
  const alpha = image.type === 'VP8 ' ? readAlpha(first('ALPH'), coded) : undefined
  const profile = readProfile(first('ICCP')?.subarray(0, profileBytesMax) ?? Buffer.alloc(0))
  const body = [
    ...(profile ? chunk('ICCP', profile) : []),
    ...(alpha ? chunk('ALPH', alpha) : []),
    ...chunk(image.type, image.data),
    ...(orientation === undefined ? [] : chunk('EXIF', writeExif(orientation))),
  ]
  const plain = !profile && !alpha && orientation === undefined
  const flags = (profile ? profileFlag : 0) | (alpha || losslessAlpha(image) ? alphaFlag : 0) | (orientation === undefined ? 0 : exifFlag)
  return { coded, orientation, buffers: riff([...(plain ? [] : chunk('VP8X', head(flags, coded))), ...body]) }
}

/** A key frame's header: type, start code, 14 bits for each side. */
function lossySize(data: Buffer): Size {
  const isKeyFrame = data.length > 10 && ((data[0] ?? 1) & 1) === 0 && data.toString('hex', 3, 6) === '9d012a'
  const isShown = ((data[0] ?? 0) & 0x10) !== 0
  if (!isKeyFrame || !isShown) throw brokenFault('with a broken picture')
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/** A signature, then 14 bits for each side minus one. */
function losslessSize(data: Buffer): Size {
  const bits = data.length > 5 && data[0] === 0x2f ? data.readUInt32LE(1) : undefined
  if (bits === undefined || bits >>> 29 !== 0) throw brokenFault('with a broken picture')
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const losslessAlpha = ({ type, data }: RiffChunk) => type === 'VP8L' && (data.readUInt32LE(1) & 0x1000_0000) !== 0

function checkCanvas(extended: Buffer, { width, height }: Size): void {
  if (extended.length < 10) throw brokenFault('with a broken head')
  const [canvasWidth, canvasHeight] = [extended.readUIntLE(4, 3) + 1, extended.readUIntLE(7, 3) + 1]
  if (canvasWidth !== width || canvasHeight !== height)
    throw brokenFault(`whose head says ${canvasWidth} × ${canvasHeight} and whose picture ${width} × ${height}`)
}

/** Uncompressed transparency has one byte for each pixel, after a flags byte. */
function readAlpha(alpha: Buffer | undefined, { width, height }: Size): Buffer | undefined {
  if (!alpha || ((alpha[0] ?? 0) & 3) !== 0) return alpha
  if (alpha.length < 1 + width * height) throw brokenFault('with cut transparency')
  return alpha.subarray(0, 1 + width * height)
}

function head(flags: number, { width, height }: Size): Buffer {
  const data = Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return data
}

function chunk(type: string, data: Buffer): Buffer[] {
  const start = Buffer.alloc(8)
  start.write(type, 'latin1')
  start.writeUInt32LE(data.length, 4)
  return [start, data, Buffer.alloc(data.length % 2)]
}

function riff(buffers: Buffer[]): Buffer[] {
  const start = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  start.writeUInt32LE(
    buffers.reduce((sum, { length }) => sum + length, 4),
    4,
  )
  return [start, ...buffers]
}

const animatedFault = () => reject('media_type_unsupported', { measured: 'an animated WebP', limit: 'a still picture: save it as JPEG' })
const brokenFault = (problem: string) => reject('media_corrupt', { measured: `a WebP ${problem}`, limit: 'a whole WebP of one picture' })
