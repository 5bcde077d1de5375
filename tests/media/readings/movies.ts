import { type Box, box, bytes, container, find, findAll, newMdat, readBoxes, text, tracksOf, u32, writeBoxes } from '../corpus/build/boxes'
import { type Clip, movie } from '../corpus/build/clip'
import { type Edit, setEdits } from '../corpus/build/edits'
import { setBrands } from '../corpus/build/tracks'
import type { Recipe } from '../corpus/recipe'

const row = (family: string, name: string, clip: Partial<Clip> & { container: 'mp4' | 'mov' }): Recipe =>
  movie(family, name, { seconds: 3, width: 320, ...clip })
const forms = ['mp4', 'mov'] as const

function edits(): Recipe[] {
  const lists: Record<string, Edit[]> = {
    'the first second hidden': [{ seconds: 2, from: 1 }],
    'the last second hidden': [{ seconds: 2, from: 0 }],
    'both ends hidden': [{ seconds: 2, from: 0.5 }],
    'all but half a second hidden': [{ seconds: 0.5, from: 1 }],
    'the middle hidden': [
      { seconds: 1, from: 0 },
      { seconds: 1, from: 2 },
    ],
    'shown twice': [
      { seconds: 3, from: 0 },
      { seconds: 3, from: 0 },
    ],
    'shown twenty times': Array.from({ length: 20 }, () => ({ seconds: 3, from: 0 })),
    'a second shown five times': Array.from({ length: 5 }, () => ({ seconds: 1, from: 1 })),
    'parts in another order': [
      { seconds: 1, from: 2 },
      { seconds: 1, from: 0 },
      { seconds: 1, from: 1 },
    ],
    'nothing for ten seconds first': [{ seconds: 10 }, { seconds: 3, from: 0 }],
    'nothing for a hundred seconds first': [{ seconds: 100 }, { seconds: 3, from: 0 }],
    'nothing between': [{ seconds: 1, from: 0 }, { seconds: 5 }, { seconds: 2, from: 1 }],
    'longer than there is': [{ seconds: 60, from: 0 }],
    'beginning behind the end': [{ seconds: 3, from: 30 }],
    'beginning at the end': [{ seconds: 3, from: 3 }],
    'half speed': [{ seconds: 6, from: 0, rate: 0.5 }],
    'double speed': [{ seconds: 1.5, from: 0, rate: 2 }],
    'a frame held': [{ seconds: 10, from: 1, rate: 0 }],
    'of no length': [{ seconds: 0, from: 0 }],
  }
  return Object.entries(lists).flatMap(([name, list]) =>
    [0, 2].flatMap(bFrames =>
      (['all', 'vide', 'soun'] as const).flatMap((only, at) =>
        row('edit lists', `${name}, of ${only}, ${bFrames} B-frames`, {
          container: forms[(at + bFrames) % 2] ?? 'mp4',
          bFrames,
          change: boxes => setEdits(boxes, list, only === 'all' ? undefined : only),
        }),
      ),
    ),
  )
}

/** Fragments carry times of their own: these come late. */
function delayed(track: 'vide' | 'soun', seconds: number, from = 0): (boxes: Box[]) => void {
  return boxes => {
    const wanted = tracksOf(boxes, track)[0]
    if (!wanted) throw new Error(`no ${track}`)
    const id = find([wanted], 'tkhd').body.readUInt32BE(12)
    const scale = find([wanted], 'mdhd').body.readUInt32BE(12)
    for (const [index, traf] of findAll(boxes, 'traf')
      .filter(one => find([one], 'tfhd').body.readUInt32BE(4) === id)
      .entries()) {
      if (index < from) continue
      const time = find([traf], 'tfdt').body
      if (time[0] === 1) time.writeBigUInt64BE(time.readBigUInt64BE(4) + BigInt(Math.round(seconds * scale)), 4)
      else time.writeUInt32BE(time.readUInt32BE(4) + Math.round(seconds * scale), 4)
    }
  }
}

function fragments(): Recipe[] {
  const mux = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof']
  return [
    ...(['vide', 'soun'] as const).flatMap(track =>
      [1, 10, 100].flatMap(seconds =>
        [0, 2].map(from =>
          row('fragments', `${track} ${seconds} s late from fragment ${from}`, {
            container: 'mp4',
            mux,
            change: delayed(track, seconds, from),
          }),
        ),
      ),
    ),
    ...[1, 5].map(seconds =>
      row('fragments', `both ${seconds} s late`, {
        container: 'mp4',
        mux,
        change: boxes => {
          delayed('vide', seconds)(boxes)
          delayed('soun', seconds)(boxes)
        },
      }),
    ),
    ...[2, 4].map(times =>
      row('fragments', `all fragments ${times} times`, { container: 'mp4', mux, finish: file => repeatFragments(file, times) }),
    ),
    row('fragments', 'the last fragments missing', { container: 'mp4', mux, finish: file => writeBoxes(dropLast(readBoxes(file), 4)) }),
    row('fragments', 'a header of a minute', {
      container: 'mp4',
      mux,
      change: boxes => void find(boxes, 'mvex').children?.unshift(box('mehd', u32(0), u32(60_000))),
    }),
    row('fragments', 'a plain film with mvex', {
      container: 'mp4',
      change: boxes =>
        void find(boxes, 'moov').children?.push(container('mvex', [box('trex', u32(0), u32(1), u32(1), u32(0), u32(0), u32(0))])),
    }),
  ]
}

/** Fragments hold offsets from their own start, so that copies of them show the same samples again, later in time or at the same time. */
function repeatFragments(file: Buffer, times: number): Buffer {
  const boxes = readBoxes(file)
  const first = boxes.findIndex(({ type }) => type === 'moof')
  const head = Buffer.concat(boxes.slice(0, first).map(one => writeBoxes([one])))
  const body = file.subarray(head.length, file.length)
  return Buffer.concat([file.subarray(0, head.length), ...Array.from({ length: times }, () => body)])
}
const dropLast = (boxes: Box[], count: number) => boxes.filter(({ type }) => type !== 'mfra').slice(0, -count)

function doubled(): Recipe[] {
  const copyOf = (one: Box): Box => ({
    ...one,
    body: Buffer.from(one.body),
    ...(one.children ? { children: one.children.map(copyOf) } : {}),
  })
  const inside = (parent: string, type: string, change: (copy: Box) => void, first: boolean) => (boxes: Box[]) => {
    const holder = find(boxes, parent)
    const copy = copyOf(find([holder], type))
    change(copy)
    const at = (holder.children ?? []).findIndex(child => child.type === type)
    holder.children?.splice(first ? at : at + 1, 0, copy)
  }
  const longer = (copy: Box) => copy.body.writeUInt32BE(copy.body.readUInt32BE(12) * 5, 12)
  const shows: [string, string, string, (copy: Box) => void][] = [
    ['stts', 'stbl', 'stts', longer],
    ['stsz', 'stbl', 'stsz', copy => copy.body.writeUInt32BE(3, 8)],
    ['stco', 'stbl', 'stco', copy => copy.body.writeUInt32BE(0, 4)],
    ['mdhd', 'mdia', 'mdhd', copy => copy.body.writeUInt32BE(1_000, 12)],
    ['stsd', 'stbl', 'stsd', copy => copy.body.writeUInt32BE(0, 4)],
    ['mdia', 'trak', 'mdia', copy => longer(find([copy], 'stts'))],
    ['minf', 'mdia', 'minf', copy => longer(find([copy], 'stts'))],
    ['stbl', 'minf', 'stbl', copy => longer(find([copy], 'stts'))],
    ['tkhd', 'trak', 'tkhd', copy => copy.body.writeUInt32BE(640 << 16, 76)],
    ['mvhd', 'moov', 'mvhd', copy => copy.body.writeUInt32BE(100, 12)],
    ['trak', 'moov', 'trak', copy => longer(find([copy], 'stts'))],
    ['edts', 'trak', 'edts', copy => find([copy], 'elst').body.writeUInt32BE(60_000, 8)],
    ['elst', 'edts', 'elst', copy => copy.body.writeUInt32BE(60_000, 8)],
  ]
  return [
    ...shows.flatMap(([name, parent, type, change]) =>
      [true, false].map((first, at) =>
        row('doubled boxes', `${name}, the other ${first ? 'before' : 'behind'}`, {
          container: forms[at] ?? 'mp4',
          change: inside(parent, type, change, first),
        }),
      ),
    ),
    ...[true, false].map(first =>
      row('doubled boxes', `moov, the longer ${first ? 'before' : 'behind'}`, {
        container: 'mp4',
        change: boxes => {
          const copy = copyOf(find(boxes, 'moov'))
          for (const one of findAll([copy], 'stts')) longer(one)
          boxes.splice(first ? boxes.findIndex(({ type }) => type === 'moov') : boxes.length, 0, copy)
        },
      }),
    ),
    ...['behind', 'before'].map(where =>
      row('doubled boxes', `mdat of zeros ${where}`, {
        container: 'mp4',
        change: boxes => void boxes.splice(where === 'behind' ? boxes.length : 1, 0, newMdat(Buffer.alloc(50_000))),
      }),
    ),
    row('doubled boxes', 'ftyp of another kind behind', {
      container: 'mp4',
      change: boxes => void boxes.push(box('ftyp', 'qt  ', u32(0), 'qt  ')),
    }),
  ]
}

function appended(): Recipe[] {
  return forms.flatMap(form => [
    row('appended movies', `the same ${form} again`, { container: form, finish: file => bytes(file, file) }),
    row('appended movies', `the same ${form} five times`, { container: form, finish: file => bytes(file, file, file, file, file) }),
    row('appended movies', `${form} within free, before its own moov`, {
      container: form,
      change: boxes => void boxes.splice(1, 0, box('free', writeBoxes(boxes))),
    }),
    row('appended movies', `${form} within a udta`, {
      container: form,
      change: boxes => void find(boxes, 'moov').children?.push(box('udta', writeBoxes(readBoxes(writeBoxes(boxes))))),
    }),
  ])
}

const zip = bytes('PK\x05\x06', Buffer.alloc(18))
export const strangers: Record<string, Buffer> = {
  'an archive': zip,
  'an archive of one file': bytes('PK\x03\x04', Buffer.alloc(26), 'PK\x01\x02', Buffer.alloc(42), zip),
  'a page': text('<!doctype html><html><script>alert(1)</script></html>'),
  'a PDF': text('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  'a PHP script': text('<?php system($_GET[0]); __HALT_COMPILER(); ?>'),
  'a shell script': text('\n#!/bin/sh\nid\n'),
  'an SVG': text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  'a playlist': text('#EXTM3U\nhttps://10.96.0.1/a.ts\n'),
}

function polyglots(): Recipe[] {
  return Object.entries(strangers).flatMap(([name, stranger], at) => [
    row('polyglots', `a movie and ${name} behind`, { container: forms[at % 2] ?? 'mp4', finish: file => bytes(file, stranger) }),
    row('polyglots', `a movie with ${name} in free`, {
      container: forms[at % 2] ?? 'mp4',
      change: boxes => void boxes.splice(1, 0, box('free', stranger)),
    }),
  ])
}

function lyingHeaders(): Recipe[] {
  const places = { mvhd: 16, mdhd: 16, tkhd: 20 } as const
  const say = (boxes: Box[], seconds: number, types: (keyof typeof places)[]) => {
    const movieScale = find(boxes, 'mvhd').body.readUInt32BE(12)
    for (const type of types)
      for (const header of findAll(boxes, type))
        header.body.writeUInt32BE(Math.round(seconds * (type === 'tkhd' ? movieScale : header.body.readUInt32BE(12))), places[type])
  }
  const sets: (keyof typeof places)[][] = [
    ['mvhd'],
    ['mdhd'],
    ['tkhd'],
    ['mvhd', 'mdhd'],
    ['mvhd', 'tkhd'],
    ['mdhd', 'tkhd'],
    ['mvhd', 'mdhd', 'tkhd'],
  ]
  const tables: Record<string, (boxes: Box[]) => void> = {
    'the last frame ten seconds long': boxes => lastFrame(boxes, 10),
    'the last frame a minute long': boxes => lastFrame(boxes, 60),
    'the last frame of no length': boxes => lastFrame(boxes, 0),
    'frames twice as long': boxes =>
      void find(tracksOf(boxes, 'vide'), 'stts').body.writeUInt32BE(find(tracksOf(boxes, 'vide'), 'stts').body.readUInt32BE(12) * 2, 12),
    'a scale of half': boxes =>
      find(tracksOf(boxes, 'vide'), 'mdhd').body.writeUInt32BE(find(tracksOf(boxes, 'vide'), 'mdhd').body.readUInt32BE(12) / 2, 12),
    'fewer frames in stts than in stsz': boxes => void find(tracksOf(boxes, 'vide'), 'stts').body.writeUInt32BE(30, 8),
    'more frames in stts than in stsz': boxes => void find(tracksOf(boxes, 'vide'), 'stts').body.writeUInt32BE(900, 8),
    'sound twice as long': boxes =>
      find(tracksOf(boxes, 'soun'), 'mdhd').body.writeUInt32BE(find(tracksOf(boxes, 'soun'), 'mdhd').body.readUInt32BE(12) / 2, 12),
  }
  return [
    ...[1, 10].flatMap(seconds =>
      sets.map((types, at) =>
        row('lying headers', `${seconds} s in ${types.join(' and ')}`, {
          container: forms[at % 2] ?? 'mp4',
          change: boxes => say(boxes, seconds, types),
        }),
      ),
    ),
    ...Object.entries(tables).flatMap(([name, change]) =>
      forms.map(form => row('lying headers', `${name}, ${form}`, { container: form, bFrames: 0, change })),
    ),
    row('lying headers', 'the brand of a sound', { container: 'mp4', change: boxes => setBrands(boxes, 'M4A ', ['M4A ', 'mp42']) }),
  ]
}

/** Takes the last entry's one frame out of the table of times and gives it a length of its own. */
function lastFrame(boxes: Box[], seconds: number): void {
  const [track] = tracksOf(boxes, 'vide')
  if (!track) return
  const scale = find([track], 'mdhd').body.readUInt32BE(12)
  const table = find([track], 'stts')
  const [count, ticks] = [table.body.readUInt32BE(8), table.body.readUInt32BE(12)]
  table.body = bytes(u32(0), u32(2), u32(count - 1), u32(ticks), u32(1), u32(Math.round(seconds * scale)))
}

function varying(): Recipe[] {
  const times: Record<string, string> = {
    'a hole of 10 s in the middle': 'if(lt(N,45),N*4000,N*4000+1200000)',
    'a hole of 60 s in the middle': 'if(lt(N,45),N*4000,N*4000+7200000)',
    'a first frame of 8 s': 'if(eq(N,0),0,N*4000+960000)',
    'frames that crowd at the end': 'round(sqrt(N)*40000)',
    'frames that crowd at the start': 'round(N*N*50)',
  }
  return Object.entries(times).flatMap(([name, pts]) =>
    forms.map(form => row('varying rates', `${name}, ${form}`, { container: form, pts, sound: form === 'mp4' ? 'none' : 'aac' })),
  )
}

export const twoReadings = () => [...edits(), ...fragments(), ...doubled(), ...appended(), ...polyglots(), ...lyingHeaders(), ...varying()]
