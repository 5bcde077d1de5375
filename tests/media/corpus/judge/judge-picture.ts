import { readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { hashOf } from '../build/profile'
import { readPieces } from '../build/webp'
import { decode, isRunOf } from './decode'
import type { Copy } from './judge-movie'
import { isThere, runTool } from './run-tool'

/** What is wrong with the copy of a picture; nothing where it is what the recipe says. */
export async function judgePicture({ path, source, known, media }: Copy): Promise<string[]> {
  const [film, original, file, strict] = await Promise.all([
    decode(path),
    decode(source, { lenient: true }),
    readFile(path),
    readStrictly(path, media.format),
  ])
  const decoded = film.picture
  const faults = [...strict]
  const expect = (holds: boolean, words: string) => void (holds || faults.push(words))
  expect(film.complaint === '', `ffmpeg: ${film.complaint}`)
  expect(decoded.frames === 1, `${decoded.frames} pictures`)
  expect(isRunOf(decoded.checksums.slice(0, 1), original.picture.checksums.slice(0, 1)), 'the picture is not that of the client’s file')
  expect(
    media.width === known.width && media.height === known.height,
    `${media.width} × ${media.height} measured, ${known.width} × ${known.height} known`,
  )
  const held = media.format === 'jpeg' ? heldByJpeg(file) : media.format === 'png' ? heldByPng(file) : heldByWebp(file)
  const profile = held.profile && hashOf(held.profile)
  expect(profile === known.profile, `profile ${profile}, ${known.profile} known`)
  expect((held.orientation ?? 1) === known.orientation, `orientation ${held.orientation}, ${known.orientation} known`)
  faults.push(...(held.odd ?? []))
  return faults
}

const strictReaders: Record<string, (path: string) => string[]> = {
  jpeg: path => ['djpeg', '-strict', '-outfile', '/dev/null', path],
  png: path => ['pngcheck', '-q', path],
  webp: path => ['webpinfo', path],
}

/** One strict reader a format: it ends with a fault where libjpeg, libpng or libwebp would only warn. */
async function readStrictly(path: string, format: string): Promise<string[]> {
  const command = strictReaders[format]?.(path) ?? []
  if (!isThere(command[0] ?? '')) return []
  const { code, out, err } = await runTool(command)
  // pngcheck is older than cICP, a chunk for colour.
  const younger = /unless recently approved\) unknown, public chunk cICP/.test(out)
  const words = format === 'webp' ? (/No error detected/.test(out) ? '' : out.slice(-300)) : younger ? '' : `${out}${err}`.trim()
  return (code === 0 || younger) && words === '' ? [] : [`${command[0]}: ${words || code}`]
}

type Held = { profile?: Buffer | undefined; orientation?: number | undefined; odd: string[] }

const exifHead = 'Exif\0\0'
/** EXIF with an orientation and nothing else is 26 bytes of TIFF; four more are a next directory or padding. */
const orientationBytesMax = 32

export function heldByJpeg(file: Buffer): Held {
  const odd: string[] = []
  const parts: Buffer[] = []
  let orientation: number | undefined
  let at = 2
  while (file[at] === 0xff && file[at + 1] !== 0xda) {
    const [marker = 0, size] = [file[at + 1], file.readUInt16BE(at + 2)]
    const body = file.subarray(at + 4, at + 2 + size)
    const name = body.toString('latin1', 0, 16)
    if (marker === 0xe1 && name.startsWith(exifHead)) {
      orientation = orientationOf(body.subarray(6))
      if (body.length - 6 > orientationBytesMax) odd.push(`EXIF of ${body.length} bytes`)
    } else if (marker === 0xe2 && name.startsWith('ICC_PROFILE\0')) parts.push(body.subarray(14))
    else if (marker === 0xe0 && name.startsWith('JFIF\0') && body.length > 14) odd.push('a thumbnail in JFIF')
    else if ((marker >= 0xe0 && marker <= 0xef && !['JFIF\0', 'Adobe'].some(known => name.startsWith(known))) || marker === 0xfe)
      odd.push(`segment ${marker.toString(16)} ${name.slice(0, 8)}`)
    at += 2 + size
  }
  if (file.readUInt16BE(file.length - 2) !== 0xffd9) odd.push('no end marker at its end')
  return { profile: parts.length ? Buffer.concat(parts) : undefined, orientation, odd }
}

function orientationOf(tiff: Buffer): number | undefined {
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  return read16(directory + 2) === 0x112 ? read16(directory + 10) : undefined
}

const pngKept = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP', 'sBIT', 'bKGD', 'mDCV', 'cLLI']

export function heldByPng(file: Buffer): Held {
  const odd: string[] = []
  let profile: Buffer | undefined
  let at = 8
  let last = ''
  while (at + 8 <= file.length) {
    const size = file.readUInt32BE(at)
    last = file.toString('latin1', at + 4, at + 8)
    if (!pngKept.includes(last) && last !== 'eXIf') odd.push(`chunk ${last}`)
    if (last === 'eXIf' && size > orientationBytesMax) odd.push(`EXIF of ${size} bytes`)
    const body = file.subarray(at + 8, at + 8 + size)
    if (last === 'iCCP') profile = inflateSync(body.subarray(body.indexOf(0) + 2))
    at += 12 + size
  }
  if (last !== 'IEND' || at !== file.length) odd.push('bytes behind its end')
  return { profile, odd }
}

export function heldByWebp(file: Buffer): Held {
  const pieces = readPieces(file)
  const odd = pieces
    .filter(({ type }) => !['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP', 'EXIF'].includes(type))
    .map(({ type }) => `chunk ${type}`)
  const exif = pieces.find(({ type }) => type === 'EXIF')
  if (exif && exif.data.length > orientationBytesMax) odd.push(`EXIF of ${exif.data.length} bytes`)
  if (file.readUInt32LE(4) + 8 !== file.length) odd.push('a length that is not its own')
  return { profile: pieces.find(({ type }) => type === 'ICCP')?.data, orientation: exif && orientationOf(exif.data), odd }
}
