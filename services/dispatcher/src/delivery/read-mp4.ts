import { CustomSource, EncodedPacketSink, Input, type InputVideoTrack, MP4, QTFF, type VideoCodec } from 'mediabunny'
import { type Mp4Structure, OutputFault } from './check-mp4'

/** What a copied output is. `width` and `height` as it is displayed; `durationMs` of its picture track. */
export type Measured = {
  durationMs: number
  width: number
  height: number
  /** Before rotation and pixel aspect ratio. */
  codedWidth: number
  codedHeight: number
  frameRate: number
  videoCodec: string
  hasAudio: boolean
}

/** No frame is so large. */
const frameBytesMax = 64 * 2 ** 20
/** A coded side has 16 bits. A displayed one follows from a pixel aspect ratio of two 32-bit numbers, and an event's sides have 32 bits. */
const sideMax = 65_535
const durationMsMax = 24 * 60 * 60 * 1_000

/**
 * What the structure of a whole MP4 says that it is. Throws OutputFault where it can be no video: no picture track, no known codec, no frame
 * inside the file, no length. What the parsing library throws proves nothing, because it also fails on sound tracks and by its own bugs.
 * Frames are not decoded: a picture track whose frames are noise passes.
 */
export async function readMp4(structure: Mp4Structure): Promise<Measured> {
  const { bytes } = structure
  using input = new Input({
    formats: [MP4, QTFF],
    source: new CustomSource({ getSize: () => bytes, read: (start, end) => readRange(structure, start, end) }),
  })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new OutputFault('is an MP4 without a picture track')
  const codec = await track.getCodec()
  if (!codec || !(await track.getDecoderConfig())) throw new OutputFault('has a picture track of no known codec')
  const { frames, durationMs } = await readFrames(track, structure)
  const [width, height] = [Math.round(await track.getDisplayWidth()), Math.round(await track.getDisplayHeight())]
  if (!isSide(width) || !isSide(height)) throw new OutputFault(`has pictures of ${width} × ${height}`)
  const [codedWidth, codedHeight] = [await track.getCodedWidth(), await track.getCodedHeight()]
  const [audio] = await input.getAudioTracks()
  const hasAudio = audio ? (await new EncodedPacketSink(audio).getFirstPacket({ metadataOnly: true })) !== null : false
  const frameRate = Math.round((frames / durationMs) * 1_000_000) / 1_000
  return { durationMs, width, height, codedWidth, codedHeight, frameRate, videoCodec: codecName(codec), hasAudio }
}

/** How many frames there are, and how long they last together. */
async function readFrames(track: InputVideoTrack, { mediaBytes }: Mp4Structure): Promise<{ frames: number; durationMs: number }> {
  const sink = new EncodedPacketSink(track)
  let [frames, frameBytes, start, end] = [0, 0, Number.POSITIVE_INFINITY, 0]
  for await (const { byteLength, timestamp, duration } of sink.packets(undefined, undefined, { metadataOnly: true })) {
    frames += byteLength > 0 ? 1 : 0
    frameBytes += byteLength
    start = Math.min(start, timestamp)
    end = Math.max(end, timestamp + duration)
  }
  if (frames === 0) throw new OutputFault('has a picture track without a frame')
  if (frameBytes > mediaBytes) throw new OutputFault(`has ${frameBytes} bytes of frames in ${mediaBytes} of media`)
  // What its tables place outside the file is not read, or fails.
  const [first, last] = [await sink.getFirstPacket(), await sink.getPacket(Number.POSITIVE_INFINITY)]
  if (!first?.byteLength || !last?.byteLength) throw new OutputFault('has frames outside the file')
  // What comes before 0 is not displayed.
  const durationMs = Math.round((end - Math.max(0, start)) * 1_000)
  if (!(durationMs > 0)) throw new OutputFault('has a picture track of no length')
  if (durationMs > durationMsMax) throw new OutputFault(`has a picture track of ${durationMs} ms`)
  return { frames, durationMs }
}

/** What was kept of that range, with zeros for the rest. */
function readRange({ parts }: Mp4Structure, start: number, end: number): Uint8Array {
  if (end - start > frameBytesMax) throw new OutputFault(`has a frame of ${end - start} bytes`)
  const range = new Uint8Array(end - start)
  for (let index = firstPartBehind(parts, start); index < parts.length; index += 1) {
    const { offset, bytes } = parts[index] as (typeof parts)[number]
    if (offset >= end) break
    const [from, to] = [Math.max(start, offset), Math.min(end, offset + bytes.length)]
    range.set(bytes.subarray(from - offset, to - offset), from - start)
  }
  return range
}

/** Index of the first part that ends behind `start`, by bisection: a file may have 100,000, and each of its boxes is a read. */
function firstPartBehind(parts: Mp4Structure['parts'], start: number): number {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { offset, bytes } = parts[middle] as (typeof parts)[number]
    if (offset + bytes.length > start) high = middle
    else low = middle + 1
  }
  return low
}

const isSide = (pixels: number): boolean => pixels > 0 && pixels <= sideMax

const codecName = (codec: VideoCodec): string => (codec === 'avc' ? 'h264' : codec)
