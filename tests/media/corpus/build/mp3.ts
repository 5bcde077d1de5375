import { bytes, u32 } from './boxes'

const synchsafe = (size: number) => [(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]
const u32le = (value: number) => u32(value).reverse()

export const tagFrame = (id: string, ...parts: (Buffer | string | number[])[]) => {
  const data = bytes(...parts)
  return bytes(id, u32(data.length), [0, 0], data)
}
export const words = (id: string, line: string) => tagFrame(id, [0], line)
/** A cover of so many bytes: a real picture, made longer by comments. */
export function coverArt(picture: Buffer, size: number): Buffer {
  const comment = bytes([0xff, 0xfe, 0xff, 0xff], Buffer.alloc(65_533, 0x20))
  const comments = Array.from({ length: Math.floor(size / comment.length) }, () => comment)
  return tagFrame('APIC', [0], 'image/jpeg\0', [3], 'Cover\0', picture.subarray(0, 2), ...comments, picture.subarray(2))
}

/** ID3v2.3 with so much padding behind its frames. */
export function id3({
  frames = [words('TIT2', 'Title'), words('TPE1', 'Artist')],
  padding = 0,
  version = 3,
  footer = false,
  experimental = 0,
}: {
  frames?: Buffer[]
  padding?: number
  version?: number
  footer?: boolean
  experimental?: number
} = {}): Buffer {
  const body = bytes(...frames, Buffer.alloc(padding))
  const head = (name: string) => bytes(name, [version, 0, (footer ? 0x10 : 0) | experimental], synchsafe(body.length))
  return bytes(head('ID3'), body, footer ? head('3DI') : [])
}

/** The oldest form: names of three letters. */
export function id3v22(): Buffer {
  const frame = (id: string, line: string) => bytes(id, [0, 0, line.length + 1], [0], line)
  const body = bytes(frame('TT2', 'Title'), frame('TP1', 'Artist'))
  return bytes('ID3', [2, 0, 0], synchsafe(body.length), body)
}

export const id3v1 = (title: string) =>
  bytes('TAG', Buffer.from(title.padEnd(30, '\0')), Buffer.alloc(90), [1, 2, 3].slice(0, 1), Buffer.alloc(4))

export function ape(values: Record<string, string>, withHead = true): Buffer {
  const items = bytes(
    ...Object.entries(values).map(([key, value]) => bytes(u32le(Buffer.byteLength(value)), u32(0), `${key}\0`, Buffer.from(value))),
  )
  const mark = (flags: number) =>
    bytes('APETAGEX', u32le(2_000), u32le(items.length + 32), u32le(Object.keys(values).length), u32le(flags), Buffer.alloc(8))
  return bytes(withHead ? mark(0xa0000000) : [], items, mark(withHead ? 0x80000000 : 0))
}

export function lyrics3(line: string): Buffer {
  const body = `LYRICSBEGININD0000200LYR${String(line.length).padStart(5, '0')}${line}`
  return bytes(body, String(body.length).padStart(6, '0'), 'LYRICS200')
}
