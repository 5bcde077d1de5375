import { createFile, Log, MP4BoxBuffer } from 'mp4box'
import { type Box, find, findAll, rawBox, readBoxes, u32 } from '../build/boxes'

const topLevel = ['ftyp', 'moov', 'mdat', 'free', 'wide']
const known = [
  ...['mvhd', 'trak', 'tkhd', 'edts', 'elst', 'mdia', 'mdhd', 'hdlr', 'minf', 'vmhd', 'smhd', 'dinf', 'dref', 'udta'],
  ...['stbl', 'stsd', 'stts', 'ctts', 'cslg', 'stsc', 'stsz', 'stco', 'co64', 'stss', 'sdtp', 'sgpd', 'sbgp'],
]

/** What ffmpeg's muxer writes into every MP4: a list of iTunes tags that has none. */
const emptyUserData = rawBox('meta', u32(0), rawBox('hdlr', u32(0), u32(0), 'mdirappl', Buffer.alloc(9)), rawBox('ilst'))

export type Strict = { complaints: string[]; seconds: number; frames: number; tracks: number }

/** A copy as GPAC's parser reads it, box by box and sample by sample, beside what only a plain copy may hold. */
export function readStrictly(file: Buffer): Strict {
  const complaints: string[] = []
  const boxes = readBoxes(file)
  const order = boxes.map(({ type }) => type)
  if (order.some(type => !topLevel.includes(type))) complaints.push(`boxes ${order.join(' ')}`)
  if (order.filter(type => type === 'moov').length !== 1) complaints.push('not one moov')
  if (order.filter(type => type === 'mdat').length !== 1) complaints.push('not one mdat')
  if (order.indexOf('moov') > order.indexOf('mdat')) complaints.push('moov stands behind mdat')
  complaints.push(...unknownBoxes(find(boxes, 'moov')))
  // What it only writes to the console is a complaint too. QuickTime ends its lists with four zeros, which it doesn't know.
  Log.error = (module, message) =>
    void (/Invalid box type: '(?:\0{4}| {4})'/.test(String(message)) || complaints.push(`mp4box: ${module} ${message}`))
  if (findAll(boxes, 'udta').some(({ body }) => !emptyUserData.equals(body))) complaints.push('user data')
  const parsed = createFile()
  let ready = false
  parsed.onReady = () => {
    ready = true
  }
  parsed.onError = (module, message) => complaints.push(`mp4box: ${module} ${message}`)
  try {
    const buffer = new Uint8Array(file).buffer
    parsed.appendBuffer(MP4BoxBuffer.fromArrayBuffer(buffer, 0))
    parsed.flush()
  } catch (error) {
    complaints.push(`mp4box: ${error}`)
  }
  if (!ready) return { complaints: [...complaints, 'mp4box finds no movie'], seconds: 0, frames: 0, tracks: 0 }
  const info = parsed.getInfo()
  const picture = info.tracks.find(({ track_width }) => track_width > 0)
  const data = boxes.find(({ type }) => type === 'mdat')
  for (const { id } of info.tracks) complaints.push(...samplesOutside(parsed.getTrackSamplesInfo(id), data))
  if (picture && picture.nb_samples === 0) complaints.push('no samples')
  const samples = picture ? parsed.getTrackSamplesInfo(picture.id) : []
  const scale = picture?.timescale ?? 1
  const begins = Math.min(...samples.map(({ cts }) => cts))
  const ends = Math.max(...samples.map(({ cts, duration }) => cts + duration))
  return { complaints, seconds: samples.length ? (ends - begins) / scale : 0, frames: samples.length, tracks: info.tracks.length }
}

const unknownBoxes = ({ children = [] }: Box): string[] =>
  children.flatMap(child => [...(known.includes(child.type) ? [] : [`a ${child.type} box`]), ...unknownBoxes(child)])

function samplesOutside(samples: { offset: number; size: number }[], data: Box | undefined): string[] {
  if (!data) return ['no mdat']
  const outside = samples.find(({ offset, size }) => offset < data.at || offset + size > data.at + data.body.length)
  return outside ? [`a sample at ${outside.offset} outside mdat`] : []
}
