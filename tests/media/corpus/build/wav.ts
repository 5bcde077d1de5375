import { bytes } from './boxes'
import { piece } from './webp'

export type Wav = {
  seconds?: number
  rate?: number
  channels?: number
  bits?: 8 | 16 | 24 | 32
  float?: boolean
  form?: 'plain' | 'extended' | 'extensible'
  before?: Buffer[]
  after?: Buffer[]
  /** What stands in the two lengths of a file that was streamed. */
  streamed?: number
  behind?: Buffer
}

const u16le = (value: number) => Buffer.from([value & 255, (value >> 8) & 255])
const u32le = (value: number) => bytes(u16le(value & 0xffff), u16le(Math.floor(value / 65_536) & 0xffff))
const guidTail = Buffer.from('000000001000800000aa00389b71', 'hex')

export function makeWav({
  seconds = 2,
  rate = 48_000,
  channels = 1,
  bits = 16,
  float = false,
  form = 'plain',
  before = [],
  after = [],
  streamed,
  behind,
}: Wav): Buffer {
  const [code, frameBytes] = [float ? 3 : 1, (channels * bits) / 8]
  const common = bytes(u16le(channels), u32le(rate), u32le(rate * frameBytes), u16le(frameBytes), u16le(bits))
  const format = {
    plain: () => bytes(u16le(code), common),
    extended: () => bytes(u16le(code), common, u16le(0)),
    extensible: () =>
      bytes(u16le(0xfffe), common, u16le(22), u16le(bits), u32le(channels === 2 ? 3 : channels === 1 ? 4 : 0x3f), u16le(code), guidTail),
  }[form]()
  const samples = tone(Math.round(seconds * rate), rate, channels, bits, float)
  const data = piece('data', samples)
  const body = bytes('WAVE', piece('fmt ', format), ...before, data, ...after)
  const file = bytes('RIFF', u32le(body.length), body, behind ?? [])
  if (streamed === undefined) return file
  file.writeUInt32LE(streamed, 4)
  file.writeUInt32LE(streamed, 8 + body.length - after.reduce((sum, { length }) => sum + length, 0) - data.length + 4)
  return file
}

function tone(count: number, rate: number, channels: number, bits: number, float: boolean): Buffer {
  const size = bits / 8
  const out = Buffer.alloc(count * channels * size)
  for (let at = 0; at < count; at += 1) {
    const value = Math.sin((at * 2 * Math.PI * 440) / rate) * 0.4
    for (let channel = 0; channel < channels; channel += 1) {
      const where = (at * channels + channel) * size
      if (float) out.writeFloatLE(value, where)
      else if (bits === 8) out[where] = 128 + Math.round(value * 127)
      else out.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), where, size)
    }
  }
  return out
}

export const info = (values: Record<string, string>) =>
  piece('LIST', bytes('INFO', ...Object.entries(values).map(([key, value]) => piece(key, Buffer.from(`${value}\0`)))))

/** What a field recorder and a broadcaster write about a take. */
export const broadcast = () =>
  piece(
    'bext',
    bytes(
      Buffer.alloc(256, 'Scene 4 take 2'),
      Buffer.alloc(32, 'Zoom F6'),
      Buffer.alloc(32, 'USABC1234567'),
      '2026-04-0210:11:12',
      Buffer.alloc(8),
      u16le(2),
      Buffer.alloc(254),
      'A=PCM,F=48000,W=24,M=mono,T=Zoom\r\n',
    ),
  )
export const ixml = () =>
  piece('iXML', Buffer.from('<?xml version="1.0" encoding="UTF-8"?><BWFXML><PROJECT>Film</PROJECT><SCENE>4</SCENE><TAKE>2</TAKE></BWFXML>'))
