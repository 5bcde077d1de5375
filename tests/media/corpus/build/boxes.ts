/** A box of an MP4 or MOV, read far enough to be changed: containers have children, the others a body. */
export type Box = { type: string; at: number; body: Buffer; children?: Box[] }

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'dinf']
const addressesBegin = 2 ** 31

export const u16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
export const u32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value >>> 0)
  return buffer
}
export const text = (words: string) => Buffer.from(words, 'latin1')
export const bytes = (...parts: (Buffer | string | number[])[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? text(part) : Buffer.from(part))))

export const rawBox = (type: string, ...parts: (Buffer | string | number[])[]) => {
  const body = bytes(...parts)
  return bytes(u32(body.length + 8), type, body)
}
export const box = (type: string, ...parts: (Buffer | string | number[])[]): Box => ({ type, at: 0, body: bytes(...parts) })
export const container = (type: string, children: Box[]): Box => ({ type, at: 0, body: Buffer.alloc(0), children })

export function readBoxes(file: Buffer, from = 0, to = file.length): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; ) {
    const short = file.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short || to - at
    const type = file.toString('latin1', at + 4, at + 8)
    const [begin, end] = [at + head, Math.min(at + size, to)]
    boxes.push({
      type,
      at: begin,
      body: Buffer.from(file.subarray(begin, end)),
      ...(containers.includes(type) ? { children: readBoxes(file, begin, end) } : {}),
    })
    at += Math.max(size, head)
  }
  return boxes
}

/** Boxes as bytes. Chunk offsets follow the mdat that they lead into, wherever it stands now. */
export function writeBoxes(boxes: Box[]): Buffer {
  const moved: { from: number; to: number; length: number }[] = []
  let at = 0
  for (const one of boxes) {
    const length = sizeOf(one)
    if (one.type === 'mdat') moved.push({ from: one.at, to: at + 8, length: length - 8 })
    at += length
  }
  const follow = (offset: number) => {
    const data = moved.find(({ from, length }) => offset >= from && offset < from + length)
    return data ? offset - data.from + data.to : offset
  }
  for (const table of findAll(boxes, 'stco')) {
    for (let entry = 8; entry + 4 <= table.body.length; entry += 4) table.body.writeUInt32BE(follow(table.body.readUInt32BE(entry)), entry)
  }
  return Buffer.concat(boxes.map(write))
}

const sizeOf = (one: Box): number => 8 + (one.children ? one.children.reduce((sum, child) => sum + sizeOf(child), 0) : one.body.length)
const write = (one: Box): Buffer => rawBox(one.type, one.children ? Buffer.concat(one.children.map(write)) : one.body)

export const findAll = (boxes: Box[], type: string): Box[] =>
  boxes.flatMap(one => [...(one.type === type ? [one] : []), ...findAll(one.children ?? [], type)])

export function find(boxes: Box[], ...path: string[]): Box {
  const [type = '', ...rest] = path
  const found = findAll(boxes, type)[0]
  if (!found) throw new Error(`there is no ${type}`)
  return rest.length ? find(found.children ?? [], ...rest) : found
}

export const handlerOf = (track: Box) => find([track], 'mdia', 'hdlr').body.toString('latin1', 8, 12)
export const tracksOf = (boxes: Box[], handler: string) => findAll(boxes, 'trak').filter(track => handlerOf(track) === handler)

let mdats = 0
/** New media data; what it returns as `at` is the address that a chunk offset may name. */
export function newMdat(data: Buffer): Box {
  mdats = (mdats + 1) % 500
  return { type: 'mdat', at: addressesBegin + mdats * 2 ** 22, body: data }
}
