export class OutputFault extends Error {
  override name = 'OutputFault'
}

/** Top-level boxes of a real film: a few, or two a fragment. A file of a million tiny ones is none. */
const boxesMax = 100_000

/**
 * Follows an MP4's top-level boxes (ISO 14496-12) as its bytes go by: a wrong type shows in the first box, a cut file in boxes that don't
 * sum to its length or in a missing moov or mdat. Samples are not decoded.
 */
export function createMp4Check() {
  const seen = new Set<string>()
  let header = new Uint8Array(0)
  /** Bytes of the current box still to come; infinite where it lasts to the end of the file. */
  let left = 0
  let boxes = 0

  function openBox(): boolean {
    const box = readBox(header)
    if (!box) return false
    if (boxes === 0 && box.type !== 'ftyp') throw new OutputFault(`is no MP4: starts with ${JSON.stringify(box.type)}`)
    boxes += 1
    if (boxes > boxesMax) throw new OutputFault(`has more than ${boxesMax} boxes`)
    seen.add(box.type)
    left = box.bytes - header.length
    header = new Uint8Array(0)
    return true
  }

  return {
    take(chunk: Uint8Array): void {
      let rest = chunk
      while (rest.length > 0) {
        if (left > 0) {
          const skipped = Math.min(left, rest.length)
          left -= skipped
          rest = rest.subarray(skipped)
          continue
        }
        // One byte at a time only until a header is whole: 8 or 16 bytes a box.
        header = Buffer.concat([header, rest.subarray(0, 1)])
        rest = rest.subarray(1)
        openBox()
      }
    },
    end(): void {
      if (header.length > 0 || (left > 0 && left !== Number.POSITIVE_INFINITY)) throw new OutputFault('is a truncated MP4')
      for (const needed of ['ftyp', 'moov', 'mdat']) if (!seen.has(needed)) throw new OutputFault(`is an MP4 without ${needed}`)
    },
  }
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
