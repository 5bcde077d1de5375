import type { FileHandle } from 'node:fs/promises'
import { type Packet, type ProbedMovie, packetsOf, type Stream } from '../../movie/probe-movie'
import { blankMessages, holdsMessages, type MessageCodec } from './blank-messages'

const headerBytesMax = 8 * 1024 * 1024
/** Read size: covers everything before a picture, and little of the picture. */
const readBytes = 16 * 1024

/** Blanks SEI messages in a copy's samples and, for HEVC, in its header. Other codecs have none. */
export async function blankCopy(copy: FileHandle, written: ProbedMovie): Promise<void> {
  const picture = written.streams.find(({ codec_type }) => codec_type === 'video')
  if (!picture || !hasMessages(picture)) return
  const packets = packetsOf(written, picture)
  const header = await read(copy, 0, Math.min(headerBytesMax, Math.min(...packets.map(({ pos }) => Number(pos)))))
  const decoderConfig = decoderConfigOf(header, picture.codec_name)
  if (!decoderConfig) return
  if (picture.codec_name === 'hevc' && blankArrays(decoderConfig.data))
    await copy.write(decoderConfig.data, 0, decoderConfig.data.length, decoderConfig.at)
  // Bytes of a unit's length minus one: the last two bits of avcC's fifth or hvcC's 22nd byte.
  const lengthBytes = ((decoderConfig.data[picture.codec_name === 'hevc' ? 21 : 4] ?? 3) & 3) + 1
  const window = Buffer.alloc(readBytes)
  for (const packet of packets) await blankSample({ copy, window, codec: picture.codec_name, lengthBytes }, packet)
}

const hasMessages = (stream: Stream): stream is Stream & { codec_name: MessageCodec } =>
  stream.codec_name === 'h264' || stream.codec_name === 'hevc'

type CodedCopy = { copy: FileHandle; window: Buffer; codec: MessageCodec; lengthBytes: number }

/** Steps through the units of a sample without reading their contents. */
async function blankSample({ copy, window, codec, lengthBytes }: CodedCopy, { pos, size }: Packet): Promise<void> {
  const end = Number(pos) + Number(size)
  let [readFrom, readTo] = [0, 0]
  for (let at = Number(pos); at + lengthBytes < end; ) {
    const from = at + lengthBytes
    if (from >= readTo) {
      readFrom = at
      readTo = at + (await copy.read(window, 0, Math.min(window.length, end - at), at)).bytesRead
      if (from >= readTo) return
    }
    const to = from + window.readUIntBE(at - readFrom, lengthBytes)
    // A length beyond the sample is damage, which decoding finds.
    if (to > end) return
    if (holdsMessages(window[from - readFrom] ?? 0, codec)) await blankUnit(copy, from, to - from, codec)
    at = to
  }
}

async function blankUnit(copy: FileHandle, at: number, bytes: number, codec: MessageCodec): Promise<void> {
  const unit = await read(copy, at, bytes)
  if (blankMessages(unit, codec)) await copy.write(unit, 0, unit.length, at)
}

/** The decoder configuration box without its header. */
function decoderConfigOf(header: Buffer, codec: MessageCodec): { at: number; data: Buffer } | undefined {
  const at = header.indexOf(codec === 'hevc' ? 'hvcC' : 'avcC', 0, 'latin1') + 4
  return at < 8 ? undefined : { at, data: header.subarray(at, at - 8 + header.readUInt32BE(at - 8)) }
}

/** The arrays of units after hvcC's first 22 bytes: type, count, and units with two-byte lengths. */
function blankArrays(data: Buffer): boolean {
  let changed = false
  let at = 23
  for (let arrays = data[22] ?? 0; arrays > 0 && at + 3 <= data.length; arrays -= 1) {
    let units = data.readUInt16BE(at + 1)
    at += 3
    for (; units > 0 && at + 2 <= data.length; units -= 1) {
      const to = at + 2 + data.readUInt16BE(at)
      changed = blankMessages(data.subarray(at + 2, to), 'hevc') || changed
      at = to
    }
  }
  return changed
}

async function read(copy: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await copy.read(buffer, 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}
