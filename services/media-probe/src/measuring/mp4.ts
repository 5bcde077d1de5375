import { reject } from '../errors'
import type { FileView } from './file-view'
import { type Box, children, readMoov } from './mp4-boxes'

export type Track = {
  /** vide, soun, tmcd, meta or something that is refused. */
  handler: string
  /** Seconds by mdhd, by the edit list (undefined without one) and by the sample table. */
  header: number
  edited: number | undefined
  samples: number
}

export type Movie = { seconds: number; fragmented: boolean; tracks: Track[] }

/** Reads what a movie's header says of its lengths. Throws where it is cut, tangled, compressed or refers to data elsewhere. */
export async function inspectMp4(file: FileView): Promise<Movie> {
  const { moov, fragmented } = await readMoov(file)
  const boxes = children(moov)
  if (boxes.some(box => box.type === 'cmov')) throw broken('with a compressed header')
  const { timescale, duration } = timing(one(boxes, 'mvhd').data)
  const traks = boxes.filter(box => box.type === 'trak')
  return {
    seconds: duration / timescale,
    fragmented,
    tracks: traks.map(trak => readTrack(trak, timescale)),
  }
}

function readTrack(trak: Box, movieTimescale: number): Track {
  const inner = children(trak)
  const mdia = children(one(inner, 'mdia'))
  const minf = children(one(mdia, 'minf'))
  const { timescale, duration } = timing(one(mdia, 'mdhd').data)
  refuseExternalData(children(one(minf, 'dinf')))
  const stts = oneAtMost(children(one(minf, 'stbl')), 'stts')
  const edts = oneAtMost(inner, 'edts')
  const elst = edts && oneAtMost(children(edts), 'elst')
  if (boxHeads(trak.data, 'elst') > (elst ? 1 : 0)) throw broken('with an edit list where none belongs')
  return {
    handler: one(mdia, 'hdlr').data.toString('latin1', 8, 12),
    header: duration / timescale,
    edited: elst && sumEdits(elst.data) / movieTimescale,
    samples: stts ? sumSamples(stts.data) / timescale : 0,
  }
}

function one(boxes: Box[], type: string): Box {
  const found = oneAtMost(boxes, type)
  if (!found) throw broken(`without a ${type} box`)
  return found
}

/** Of two, one reader takes the first and another the last. */
function oneAtMost(boxes: Box[], type: string): Box | undefined {
  const found = boxes.filter(box => box.type === type)
  if (found.length > 1) throw broken(`with ${found.length} ${type} boxes`)
  return found[0]
}

/** ffmpeg reads some boxes at whatever depth they stand: counts what may be the head of one, a size that fits and the type. */
function boxHeads(data: Buffer, type: string): number {
  let count = 0
  for (let at = data.indexOf(type, 4, 'latin1'); at !== -1; at = data.indexOf(type, at + 4, 'latin1')) {
    if (data.readUInt32BE(at - 4) <= data.length - at + 4) count += 1
  }
  return count
}

/** mvhd and mdhd begin alike: version and flags, two times, timescale, duration. All ones mean "unknown". */
function timing(data: Buffer): { timescale: number; duration: number } {
  const long = data[0] === 1
  if (data.length < (long ? 32 : 20)) throw broken('with a short header box')
  const timescale = data.readUInt32BE(long ? 20 : 12)
  const duration = long ? Number(data.readBigUInt64BE(24)) : data.readUInt32BE(16)
  if (timescale === 0) throw broken('with a time scale of 0')
  return { timescale, duration: duration === 0xffffffff || duration >= 2 ** 63 ? 0 : duration }
}

function sumEdits(data: Buffer): number {
  const long = data[0] === 1
  const entryBytes = long ? 20 : 12
  let sum = 0
  for (let offset = 8; offset + entryBytes <= data.length; offset += entryBytes) {
    sum += long ? Number(data.readBigUInt64BE(offset)) : data.readUInt32BE(offset)
  }
  return sum
}

function sumSamples(data: Buffer): number {
  let sum = 0
  for (let offset = 8; offset + 8 <= data.length; offset += 8) sum += data.readUInt32BE(offset) * data.readUInt32BE(offset + 4)
  return sum
}

/** Each entry must carry the flag that says the data are in this very file. */
function refuseExternalData(dinf: Box[]): void {
  const dref = one(dinf, 'dref')
  const entries = children({ ...dref, data: dref.data.subarray(8) })
  if (entries.length === 0 || entries.some(entry => ((entry.data[3] ?? 0) & 1) === 0)) throw broken('that refers to data elsewhere')
}

const broken = (words: string) => reject('media_corrupt', { measured: `MP4 ${words}`, limit: 'one whole, self-contained movie' })
