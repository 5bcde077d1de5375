import type { FileHandle } from 'node:fs/promises'
import { type Packet, type Probed, packetsOf, type Stream } from '../../movie/probe-movie'
import { blankMessages, type MessageCodec } from './blank-messages'

const headerBytesMax = 8 * 1024 * 1024

/** Blanks the messages beside the pictures of a copy, in its samples and, for HEVC, in its header. Other codecs have none. */
export async function blankCopy(copy: FileHandle, written: Probed): Promise<void> {
  const picture = written.streams.find(({ codec_type }) => codec_type === 'video')
  if (!picture || !hasMessages(picture)) return
  const packets = packetsOf(written, picture)
  const header = await read(copy, 0, Math.min(headerBytesMax, Math.min(...packets.map(({ pos }) => Number(pos)))))
  const settings = settingsOf(header, picture.codec_name)
  if (!settings) return
  if (picture.codec_name === 'hevc' && blankArrays(settings.data)) await copy.write(settings.data, 0, settings.data.length, settings.at)
  // The bytes that a unit's length takes, less one, in the last two bits: of avcC's fifth byte, of hvcC's 22nd.
  const lengthBytes = ((settings.data[picture.codec_name === 'hevc' ? 21 : 4] ?? 3) & 3) + 1
  for (const packet of packets) await blankSample(copy, packet, picture.codec_name, lengthBytes)
}

const hasMessages = (stream: Stream): stream is Stream & { codec_name: MessageCodec } =>
  stream.codec_name === 'h264' || stream.codec_name === 'hevc'

async function blankSample(copy: FileHandle, { pos, size }: Packet, codec: MessageCodec, lengthBytes: number): Promise<void> {
  const [start, bytes] = [Number(pos), Number(size)]
  const sample = await read(copy, start, bytes)
  for (let at = 0; at + lengthBytes < sample.length; ) {
    const from = at + lengthBytes
    const to = from + sample.readUIntBE(at, lengthBytes)
    // A length that leads out of its sample is damage, which decoding finds.
    if (to > sample.length) return
    const unit = sample.subarray(from, to)
    if (blankMessages(unit, codec)) await copy.write(unit, 0, unit.length, start + from)
    at = to
  }
}

/** The box of a coder's settings, without its head. */
function settingsOf(header: Buffer, codec: MessageCodec): { at: number; data: Buffer } | undefined {
  const at = header.indexOf(codec === 'hevc' ? 'hvcC' : 'avcC', 0, 'latin1') + 4
  return at < 8 ? undefined : { at, data: header.subarray(at, at - 8 + header.readUInt32BE(at - 8)) }
}

/** The arrays of units behind hvcC's first 22 bytes: each a type, a count, and units with their lengths in two bytes. */
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
