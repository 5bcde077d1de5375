import { readProfile } from '../picture/colour-profile'
import { readOrientation, writeExif } from '../picture/orientation'
import { segment } from './segments'

/** The display information in a JPEG's application segments. */
export type JpegColour = {
  orientation: number | undefined
  profile: Buffer | undefined
  jfif: boolean
  /** Adobe's colour transform: none, YCbCr or YCCK. */
  transform: number | undefined
}

const [jfif, exif, icc, adobe] = ['JFIF\0', 'Exif\0', 'ICC_PROFILE\0', 'Adobe']
const [app0, app1, app2, app14] = [0xe0, 0xe1, 0xe2, 0xee]
const exifHeadBytes = 6
const iccHeadBytes = icc.length + 2
const iccPieceBytesMax = 65_533 - iccHeadBytes

export function readJpegColour(segments: { marker: number; data: Buffer }[]): JpegColour {
  const named = (marker: number, name: string) =>
    segments.filter(each => each.marker === marker && each.data.toString('latin1', 0, name.length) === name).map(({ data }) => data)
  const [block] = named(app1, exif)
  return {
    orientation: block && readOrientation(block.subarray(exifHeadBytes)),
    profile: joinProfile(named(app2, icc)),
    jfif: named(app0, jfif).length > 0,
    transform: named(app14, adobe).find(data => data.length >= 12)?.[11],
  }
}

/** A profile is split into numbered pieces; if one is missing, it is ignored. */
function joinProfile(pieces: Buffer[]): Buffer | undefined {
  const total = pieces[0]?.[iccHeadBytes - 1] ?? 0
  const ordered = Array.from({ length: total }, (_, index) => pieces.find(piece => piece[iccHeadBytes - 2] === index + 1))
  if (!ordered.every(piece => piece !== undefined)) return undefined
  return readProfile(Buffer.concat(ordered.map(piece => piece.subarray(iccHeadBytes))))
}

/** Writes it in new segments without other data. */
export function writeJpegColour(colour: JpegColour): Buffer[] {
  const { orientation, profile, transform } = colour
  const buffers: Buffer[] = []
  // Version 1.01, square pixels, no thumbnail.
  if (colour.jfif) buffers.push(...segment(app0, Buffer.from([...Buffer.from(jfif), 1, 1, 0, 0, 1, 0, 1, 0, 0])))
  if (orientation !== undefined) buffers.push(...segment(app1, Buffer.concat([Buffer.from('Exif\0\0'), writeExif(orientation)])))
  const pieces = Math.ceil((profile?.length ?? 0) / iccPieceBytesMax)
  for (let piece = 0; profile && piece < pieces; piece += 1) {
    const data = profile.subarray(piece * iccPieceBytesMax, (piece + 1) * iccPieceBytesMax)
    buffers.push(...segment(app2, Buffer.concat([Buffer.from(icc), Buffer.from([piece + 1, pieces]), data])))
  }
  if (transform !== undefined) buffers.push(...segment(app14, Buffer.from([...Buffer.from(adobe), 0, 100, 0, 0, 0, 0, transform])))
  return buffers
}
