export class OutputFault extends Error {
  override name = 'OutputFault'
}

/** A real film has a few top-level boxes, or two a fragment; a file of a million tiny ones is no film. */
const boxesMax = 100_000
/** The tables of a film of a minute take some hundred kilobytes. */
const structureBytesMax = 8 * 2 ** 20
/** The boxes that say what the film is; of every other box only its header is kept. */
const structureTypes = new Set(['ftyp', 'moov', 'moof'])

/** A whole MP4 without its samples: enough for a reader to tell what it is. `parts` are in the order of the file, and don't touch. */
export type Mp4Structure = { bytes: number; mediaBytes: number; parts: { offset: number; bytes: Uint8Array }[] }

/**
 * Follows an MP4's top-level boxes (ISO 14496-12) as its bytes go by: a wrong type shows in the first box, a cut file in boxes that don't sum
 * to its length, an empty one in an mdat without a byte. What is inside them is for read-mp4.ts, which gets what is kept here.
 */
export function createMp4Check() {
  const seen = new Set<string>()
  const parts: KeptBytes[] = []
  let structureBytes = 0
  let mediaBytes = 0
  let offset = 0
  let header = new Uint8Array(0)
  let type = ''
  /** Bytes of the current box still to come; infinite where it lasts to the end of the file. */
  let left = 0
  let boxes = 0

  /** Copied: the chunk's memory is given back once it has gone by. What is contiguous is one part, in however many chunks it comes. */
  function keep(at: number, bytes: Uint8Array): void {
    structureBytes += bytes.length
    if (structureBytes > structureBytesMax) throw new OutputFault(`has more than ${structureBytesMax} bytes of tables`)
    const last = parts.at(-1)
    if (last && last.offset + last.length === at) append(last, bytes)
    else parts.push({ offset: at, buffer: Uint8Array.from(bytes), length: bytes.length })
  }

  function openBox(): void {
    const box = readBox(header)
    if (!box) return
    if (seen.size === 0 && box.type !== 'ftyp') throw new OutputFault(`is no MP4: starts with ${JSON.stringify(box.type)}`)
    seen.add(box.type)
    boxes += 1
    if (boxes > boxesMax) throw new OutputFault(`has more than ${boxesMax} boxes`)
    keep(offset - header.length, header)
    type = box.type
    left = box.bytes - header.length
    header = new Uint8Array(0)
  }

  return {
    take(chunk: Uint8Array): void {
      let rest = chunk
      while (rest.length > 0) {
        // One byte at a time only until a header is whole: 8 or 16 bytes a box.
        const passed = left > 0 ? Math.min(left, rest.length) : 1
        const bytes = rest.subarray(0, passed)
        rest = rest.subarray(passed)
        if (left > 0) {
          if (structureTypes.has(type)) keep(offset, bytes)
          if (type === 'mdat') mediaBytes += passed
          left -= passed
          offset += passed
        } else {
          header = Buffer.concat([header, bytes])
          offset += passed
          openBox()
        }
      }
    },
    end(): Mp4Structure {
      const isWhole = header.length === 0 && (left === 0 || left === Number.POSITIVE_INFINITY)
      if (!isWhole) throw new OutputFault('is a truncated MP4')
      for (const needed of ['ftyp', 'moov', 'mdat']) if (!seen.has(needed)) throw new OutputFault(`is an MP4 without ${needed}`)
      if (mediaBytes === 0) throw new OutputFault('is an MP4 without media')
      const kept = parts.map(({ offset, buffer, length }) => ({ offset, bytes: buffer.subarray(0, length) }))
      return { bytes: offset, mediaBytes, parts: kept }
    },
  }
}

/** The first `length` bytes of `buffer`, which lie in the file from `offset` on. */
type KeptBytes = { offset: number; buffer: Uint8Array; length: number }

function append(part: KeptBytes, bytes: Uint8Array): void {
  const length = part.length + bytes.length
  if (length > part.buffer.length) {
    const larger = new Uint8Array(Math.max(length, 2 * part.buffer.length))
    larger.set(part.buffer.subarray(0, part.length))
    part.buffer = larger
  }
  part.buffer.set(bytes, part.length)
  part.length = length
}

/** Undefined until the header is whole. */
function readBox(header: Uint8Array): { type: string; bytes: number } | undefined {
  if (header.length < 8) return undefined
  const view = new DataView(header.buffer, header.byteOffset, header.length)
  const type = Buffer.from(header.subarray(4, 8)).toString('latin1')
  // Printable or a copyright sign, as every registered type is.
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) throw new OutputFault('has bytes that are no box')
  const size = view.getUint32(0)
  if (size === 0) return { type, bytes: Number.POSITIVE_INFINITY }
  if (size !== 1) return { type, bytes: checked(size, 8, type) }
  if (header.length < 16) return undefined
  return { type, bytes: checked(Number(view.getBigUint64(8)), 16, type) }
}

function checked(bytes: number, headerBytes: number, type: string): number {
  if (bytes < headerBytes) throw new OutputFault(`has a box ${JSON.stringify(type)} of ${bytes} bytes`)
  return bytes
}
