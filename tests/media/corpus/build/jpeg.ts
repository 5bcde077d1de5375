import { bytes, u16, u32 } from './boxes'

export const segment = (marker: number, ...parts: (Buffer | string | number[])[]) => {
  const body = bytes(...parts)
  return bytes([0xff, marker], u16(body.length + 2), body)
}

/** Puts segments right behind the start of a JPEG; `bare` takes away the JFIF header, as cameras leave it out. */
export function withSegments(jpeg: Buffer, segments: Buffer[], bare = false): Buffer {
  const rest = bare && jpeg[2] === 0xff && jpeg[3] === 0xe0 ? jpeg.subarray(4 + jpeg.readUInt16BE(4)) : jpeg.subarray(2)
  return bytes(jpeg.subarray(0, 2), ...segments, rest)
}

export type Exif = {
  orientation?: number
  littleEndian?: boolean
  words?: Record<number, string>
  gps?: boolean
  thumbnail?: Buffer
  makerNote?: Buffer
}

type Entry = { tag: number; type: number; count: number; value: Buffer }

/** A TIFF structure as cameras write it: words, position, provider's note and thumbnail. */
export function tiff({ orientation = 1, littleEndian = false, words = {}, gps = false, thumbnail, makerNote }: Exif): Buffer {
  const n16 = (value: number) => (littleEndian ? u16(value).reverse() : u16(value))
  const n32 = (value: number) => (littleEndian ? u32(value).reverse() : u32(value))
  const ascii = (tag: number, line: string): Entry => ({
    tag,
    type: 2,
    count: Buffer.byteLength(line) + 1,
    value: Buffer.from(`${line}\0`),
  })
  const long = (tag: number, value: number): Entry => ({ tag, type: 4, count: 1, value: n32(value) })
  const rationals = (tag: number, values: number[]): Entry => ({
    tag,
    type: 5,
    count: values.length,
    value: bytes(...values.map(value => bytes(n32(value), n32(1)))),
  })
  const sizeOf = (entries: Entry[]) =>
    6 + entries.length * 12 + entries.reduce((sum, { value }) => sum + (value.length > 4 ? value.length + (value.length % 2) : 0), 0)
  const directory = (entries: Entry[], at: number, next = 0): Buffer => {
    const sorted = entries.toSorted((one, other) => one.tag - other.tag)
    let data = at + 6 + sorted.length * 12
    const tail: Buffer[] = []
    const rows = sorted.map(({ tag, type, count, value }) => {
      if (value.length <= 4) return bytes(n16(tag), n16(type), n32(count), value, Buffer.alloc(4 - value.length))
      const row = bytes(n16(tag), n16(type), n32(count), n32(data))
      tail.push(bytes(value, Buffer.alloc(value.length % 2)))
      data += value.length + (value.length % 2)
      return row
    })
    return bytes(n16(sorted.length), ...rows, n32(next), ...tail)
  }
  const main: Entry[] = [
    { tag: 0x112, type: 3, count: 1, value: n16(orientation) },
    ...Object.entries(words).map(([tag, line]) => ascii(Number(tag), line)),
  ]
  const exif: Entry[] = [
    { tag: 0x9000, type: 7, count: 4, value: Buffer.from('0232') },
    ascii(0x9003, '2026:04:02 10:11:12'),
    ...(makerNote ? [{ tag: 0x927c, type: 7, count: makerNote.length, value: makerNote }] : []),
  ]
  const position: Entry[] = [ascii(1, 'N'), rationals(2, [48, 7, 2]), ascii(3, 'E'), rationals(4, [11, 31, 0])]
  main.push(long(0x8769, 0), ...(gps ? [long(0x8825, 0)] : []))
  const exifAt = 8 + sizeOf(main)
  const gpsAt = exifAt + sizeOf(exif)
  const thumbnailAt = gpsAt + (gps ? sizeOf(position) : 0)
  for (const entry of main) {
    if (entry.tag === 0x8769) entry.value = n32(exifAt)
    if (entry.tag === 0x8825) entry.value = n32(gpsAt)
  }
  const small: Entry[] = thumbnail ? [{ tag: 0x103, type: 3, count: 1, value: n16(6) }, long(0x201, 0), long(0x202, thumbnail.length)] : []
  for (const entry of small) if (entry.tag === 0x201) entry.value = n32(thumbnailAt + sizeOf(small))
  return bytes(
    littleEndian ? 'II*\0' : 'MM\0*',
    n32(8),
    directory(main, 8, thumbnail ? thumbnailAt : 0),
    directory(exif, exifAt),
    ...(gps ? [directory(position, gpsAt)] : []),
    ...(thumbnail ? [directory(small, thumbnailAt), thumbnail] : []),
  )
}

export const exifSegment = (exif: Exif) => segment(0xe1, 'Exif\0\0', tiff(exif))
export const xmpPacket = (inside: string) =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${inside}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
export const xmpSegment = (inside: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.from(xmpPacket(inside)))

/** XMP of more than a segment holds: so many bytes in parts of 65,400. */
export function extendedXmp(size: number): Buffer[] {
  const guid = '0123456789ABCDEF0123456789ABCDEF'
  const whole = Buffer.alloc(size, 'depth map ')
  const parts: Buffer[] = []
  for (let at = 0; at < size; at += 65_400)
    parts.push(segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', guid, u32(size), u32(at), whole.subarray(at, at + 65_400)))
  return [xmpSegment(`xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"`), ...parts]
}

/** A profile in as many parts as it needs. */
export function profileSegments(profile: Buffer, partBytes = 65_519): Buffer[] {
  const count = Math.ceil(profile.length / partBytes)
  return Array.from({ length: count }, (_, at) =>
    segment(0xe2, 'ICC_PROFILE\0', [at + 1, count], profile.subarray(at * partBytes, (at + 1) * partBytes)),
  )
}

/** Multi-picture format: an index of the pictures that stand behind the first. */
export function withPictures(jpeg: Buffer, before: Buffer[], others: Buffer[], gap = 0): Buffer {
  const build = (firstBytes: number): Buffer => {
    const entries = [
      bytes(u32(0x20030000), u32(firstBytes), u32(0), u32(0)),
      ...others.map((other, at) => {
        const mpfAt = 2 + before.reduce((sum, { length }) => sum + length, 0) + 8
        const offset = firstBytes + gap + others.slice(0, at).reduce((sum, { length }) => sum + length + gap, 0) - mpfAt
        return bytes(u32(0x00010001), u32(other.length), u32(offset), u32(0))
      }),
    ]
    const table = bytes(...entries)
    const mpf = segment(
      0xe2,
      'MPF\0',
      'MM\0*',
      u32(8),
      u16(3),
      bytes(u16(0xb000), u16(7), u32(4), '0100'),
      bytes(u16(0xb001), u16(4), u32(1), u32(entries.length)),
      bytes(u16(0xb002), u16(7), u32(table.length), u32(50)),
      u32(0),
      table,
    )
    return withSegments(jpeg, [...before, mpf])
  }
  const first = build(build(0).length)
  return bytes(first, ...others.map(other => bytes(Buffer.alloc(gap), other)))
}
