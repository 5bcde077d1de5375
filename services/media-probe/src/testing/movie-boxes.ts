const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer).swap32()
export const box = (type: string, ...data: Buffer[]) =>
  Buffer.concat([u32(Buffer.concat(data).length + 8), Buffer.from(type, 'latin1'), ...data])

/** An edit: milliseconds, start in the track's ticks (-1: empty), speed. */
export type Edit = [milliseconds: number, from: number, rate?: number]

export const editList = (edits: Edit[]) =>
  box(
    'edts',
    box(
      'elst',
      u32(0),
      u32(edits.length),
      ...edits.flatMap(([milliseconds, from, rate = 1]) => [u32(milliseconds), u32(from), u32(rate * 65_536)]),
    ),
  )

/**
 * The movie (moov last, as ffmpeg writes it) with the given edit lists for its tracks; undefined removes a track's
 * list.
 */
export function withEdits(movie: Buffer, ...lists: (Buffer[] | undefined)[]): Buffer {
  const start = movie.indexOf('moov', 0, 'latin1') - 4
  let track = 0
  const boxes = childrenOf(movie.subarray(start + 8)).map(({ type, data }) => {
    if (type !== 'trak') return box(type, data)
    const inner = childrenOf(data).filter(each => each.type !== 'edts')
    return box(type, ...inner.map(each => box(each.type, each.data)), ...(lists[track++] ?? []))
  })
  return Buffer.concat([movie.subarray(0, start), box('moov', ...boxes)])
}

/** The movie (moov last) with more copies of its first track. */
export function withMoreTracks(movie: Buffer, count: number): Buffer {
  const start = movie.indexOf('moov', 0, 'latin1') - 4
  const boxes = childrenOf(movie.subarray(start + 8)).map(({ type, data }) => box(type, data))
  const track = boxes.find(each => each.toString('latin1', 4, 8) === 'trak') ?? Buffer.alloc(0)
  return Buffer.concat([movie.subarray(0, start), box('moov', ...boxes, ...Array<Buffer>(count).fill(track))])
}

function childrenOf(data: Buffer): { type: string; data: Buffer }[] {
  const found: { type: string; data: Buffer }[] = []
  for (let at = 0; at + 8 <= data.length; at += data.readUInt32BE(at))
    found.push({ type: data.toString('latin1', at + 4, at + 8), data: data.subarray(at + 8, at + data.readUInt32BE(at)) })
  return found
}
