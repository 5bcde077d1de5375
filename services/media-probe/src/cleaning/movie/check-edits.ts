import { reject } from '../../errors'
import { rounded } from '../../limits/check'
import type { FileView } from './file-view'
import type { MovieHeader } from './movie-header'

/** An entry of an edit list; an empty one shows nothing for its length. */
type Edit = { isEmpty: boolean; rate: number }

const normalRate = 0x10000
const headerBytes = 8
/** In a list, behind version and flags. */
const countOffset = 4
const entriesOffset = 8
const wideEntryBytes = 20
const entriesMax = 1_000
const exportAgain = 'export it again as one new file'

/**
 * Refuses edit lists that programs read differently: another speed, a held frame, nothing shown between two pieces.
 * Cuts empty edits off the ends of lists in the downloaded file, because ffmpeg shows hidden frames there.
 */
export async function checkEdits(file: FileView, { at, moov }: MovieHeader): Promise<void> {
  for (const list of editListsOf(moov)) {
    const edits = readEdits(moov, list)
    const shown = edits.slice(0, edits.findLastIndex(({ isEmpty }) => !isEmpty) + 1)
    const pieces = shown.slice(shown.findIndex(({ isEmpty }) => !isEmpty))
    if (pieces.some(({ isEmpty }) => isEmpty)) throw unsupported('a movie whose edit list shows nothing between two pieces')
    if (pieces.some(({ rate }) => rate === 0)) throw unsupported('a movie whose edit list holds a frame')
    const other = pieces.find(({ rate }) => rate !== normalRate)
    if (other) throw unsupported(`a movie whose edit list plays at ${rounded(other.rate / normalRate)} of its speed`)
    if (shown.length > 0 && shown.length < edits.length)
      await shorten(file, { ...list, from: at + list.from, to: at + list.to }, shown.length, entryBytesOf(moov, list))
  }
}

/** Makes a box `free` of a list's last entries. ffmpeg counts entries by the size of their box. */
async function shorten(file: FileView, { from, to, isLong }: Span, count: number, entryBytes: number): Promise<void> {
  const end = from + entriesOffset + count * entryBytes
  const size = end - from + (isLong ? 2 * headerBytes : headerBytes)
  await file.overwrite(from - headerBytes, isLong ? Buffer.concat([u32(0), u32(size)]) : u32(size))
  await file.overwrite(from + countOffset, u32(count))
  await file.overwrite(end, Buffer.concat([u32(to - end), Buffer.from('free')]))
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const unsupported = (measured: string) => reject('media_type_unsupported', { measured, limit: exportAgain })

type Range = { from: number; to: number }
/** `isLong`: its header has a size of 64 bits. */
type Span = Range & { type: string; isLong: boolean }

/** The boxes between two offsets, without their headers. */
function childrenOf(data: Buffer, { from, to }: Range): Span[] {
  const found: Span[] = []
  for (let at = from; at + 8 <= to; ) {
    const isLong = data.readUInt32BE(at) === 1 && at + 2 * headerBytes <= to
    const header = isLong ? 2 * headerBytes : headerBytes
    const size = isLong ? Number(data.readBigUInt64BE(at + headerBytes)) : data.readUInt32BE(at) || to - at
    if (size < header) break
    found.push({ type: data.toString('latin1', at + 4, at + 8), from: at + header, to: Math.min(at + size, to), isLong })
    at += size
  }
  return found
}

/** The edit lists of all picture and sound tracks. */
function editListsOf(moov: Buffer): Span[] {
  const inside = (spans: Span[], type: string) => spans.flatMap(span => childrenOf(moov, span)).filter(span => span.type === type)
  const isLong = moov.length > headerBytes && moov.readUInt32BE(0) === 1
  const inMoov = childrenOf(moov, { from: isLong ? 2 * headerBytes : headerBytes, to: moov.length })
  const tracks = inMoov.filter(({ type }) => type === 'trak')
  return tracks.flatMap(track => {
    const handlers = inside(inside([track], 'mdia'), 'hdlr').map(({ from }) => moov.toString('latin1', from + 8, from + 12))
    if (!handlers.some(handler => handler === 'vide' || handler === 'soun')) return []
    return [...inside(inside([track], 'edts'), 'elst'), ...inside([track], 'elst')]
  })
}

const entryBytesOf = (moov: Buffer, { from }: Pick<Range, 'from'>): number => (moov[from] === 1 ? wideEntryBytes : 12)

/** Version and flags, count, then entries of length, start (all ones if empty) and rate; version 1 has 64 bits each. */
function readEdits(moov: Buffer, { from, to }: Span): Edit[] {
  if (from + 8 > to) return []
  const entryBytes = entryBytesOf(moov, { from })
  const wide = entryBytes === wideEntryBytes
  const entries = Math.floor((to - from - entriesOffset) / entryBytes)
  if (entries > entriesMax) throw unsupported(`a movie whose edit list has ${entries} entries`)
  return Array.from({ length: entries }, (_, index) => {
    const entry = from + entriesOffset + index * entryBytes
    const start = wide ? moov.readBigInt64BE(entry + 8) : BigInt(moov.readInt32BE(entry + 4))
    return { isEmpty: start < 0n, rate: moov.readUInt32BE(entry + entryBytes - 4) }
  })
}
