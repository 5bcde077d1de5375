import { type Box, box, bytes, container, find, findAll, u32 } from './boxes'

/** One entry of an edit list: both lengths in seconds; `from` undefined is an empty edit. */
export type Edit = { seconds: number; from?: number | undefined; rate?: number }

const scaleOf = (header: Box) => header.body.readUInt32BE(12)

/** Gives every track of picture and sound this edit list, on top of the delay that B-frames need. */
export function setEdits(boxes: Box[], edits: Edit[], only?: string): void {
  const movieScale = scaleOf(find(boxes, 'mvhd'))
  for (const track of findAll(boxes, 'trak')) {
    const handler = find([track], 'hdlr').body.toString('latin1', 8, 12)
    if (!['vide', 'soun'].includes(handler) || (only && handler !== only)) continue
    const scale = scaleOf(find([track], 'mdhd'))
    const old = findAll([track], 'elst')[0]
    // What the muxer wrote is the decoder's delay: a trim counts from behind it.
    const delay = old ? Math.max(0, old.body.readInt32BE(old.body.length - 8)) : 0
    const entries = edits.map(({ seconds, from, rate = 1 }) =>
      bytes(
        u32(Math.round(seconds * movieScale)),
        u32(from === undefined ? 0xffffffff : Math.round(from * scale) + delay),
        u32(Math.round(rate * 65_536)),
      ),
    )
    const list = box('elst', u32(0), u32(entries.length), ...entries)
    track.children = (track.children ?? []).filter(({ type }) => type !== 'edts')
    track.children.splice(1, 0, container('edts', [list]))
    const total = edits.reduce((sum, { seconds }) => sum + seconds, 0)
    find([track], 'tkhd').body.writeUInt32BE(Math.round(total * movieScale), 20)
    find(boxes, 'mvhd').body.writeUInt32BE(Math.round(total * movieScale), 16)
  }
}

/** QuickTime's trim: nothing is taken out of the file, an edit list shows a part of it. */
export const trim = (from: number, to: number) => (boxes: Box[]) => setEdits(boxes, [{ seconds: to - from, from }])
