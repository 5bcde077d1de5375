export class OutputFault extends Error {
  override name = 'OutputFault'
}

/** A real film has a few top-level boxes, or two a fragment; a file of a million tiny ones is no film. */
const boxesMax = 100_000

/**
 * Follows an MP4's boxes (ISO 14496-12) as its bytes go by: a wrong type shows in the first box, a cut file in boxes that don't sum to its
 * length, an empty one in an mdat without a byte or a film without a length. Samples are not decoded.
 */
export function createMp4Check() {
  const seen = new Set<string>()
  let mediaBytes = 0
  let movieHeader = new Uint8Array(0)
  const movie = createBoxes({
    open() {},
    body(type, chunk) {
      const missing = movieHeaderBytes - movieHeader.length
      if (type === 'mvhd' && missing > 0) movieHeader = Buffer.concat([movieHeader, chunk.subarray(0, missing)])
    },
  })
  const file = createBoxes({
    open(type) {
      if (seen.size === 0 && type !== 'ftyp') throw new OutputFault(`is no MP4: starts with ${JSON.stringify(type)}`)
      seen.add(type)
    },
    body(type, chunk) {
      if (type === 'mdat') mediaBytes += chunk.length
      else if (type === 'moov' && movieHeader.length < movieHeaderBytes) movie.take(chunk)
    },
  })
  return {
    take: file.take,
    end(): void {
      if (!file.atEnd()) throw new OutputFault('is a truncated MP4')
      for (const needed of ['ftyp', 'moov', 'mdat']) if (!seen.has(needed)) throw new OutputFault(`is an MP4 without ${needed}`)
      if (mediaBytes === 0) throw new OutputFault('is an MP4 without media')
      const duration = durationOf(movieHeader)
      if (duration === undefined) throw new OutputFault('is an MP4 without mvhd')
      // The length of a fragmented film is in its fragments.
      if (duration === 0n && !seen.has('moof')) throw new OutputFault('is an MP4 of no length')
    },
  }
}

type Visit = { open(type: string): void; body(type: string, chunk: Uint8Array): void }

/** Walks boxes that follow one another; their bodies are passed on in pieces as they come. */
function createBoxes({ open, body }: Visit) {
  let header = new Uint8Array(0)
  let type = ''
  /** Bytes of the current box still to come; infinite where it lasts to the end of the file. */
  let left = 0
  let boxes = 0

  function openBox(): void {
    const box = readBox(header)
    if (!box) return
    open(box.type)
    boxes += 1
    if (boxes > boxesMax) throw new OutputFault(`has more than ${boxesMax} boxes`)
    type = box.type
    left = box.bytes - header.length
    header = new Uint8Array(0)
  }

  return {
    take(chunk: Uint8Array): void {
      let rest = chunk
      while (rest.length > 0) {
        if (left > 0) {
          const passed = Math.min(left, rest.length)
          body(type, rest.subarray(0, passed))
          left -= passed
          rest = rest.subarray(passed)
          continue
        }
        // One byte at a time only until a header is whole: 8 or 16 bytes a box.
        header = Buffer.concat([header, rest.subarray(0, 1)])
        rest = rest.subarray(1)
        openBox()
      }
    },
    atEnd: () => header.length === 0 && (left === 0 || left === Number.POSITIVE_INFINITY),
  }
}

/** As far as its duration: version and flags, two times, timescale, duration, each but the timescale longer in version 1. */
const movieHeaderBytes = 32

/** Undefined where there is no whole mvhd, which is far longer than the bytes that are read of it. */
function durationOf(movieHeader: Uint8Array): bigint | undefined {
  if (movieHeader.length < movieHeaderBytes) return undefined
  const view = new DataView(movieHeader.buffer, movieHeader.byteOffset, movieHeader.length)
  return view.getUint8(0) === 1 ? view.getBigUint64(24) : BigInt(view.getUint32(16))
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
