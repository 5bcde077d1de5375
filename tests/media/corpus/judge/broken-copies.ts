import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { VerifiedMediaSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { Report } from '../../../support/suite/report'
import { type Box, box, bytes, find, readBoxes, tracksOf, u32, writeBoxes } from '../build/boxes'
import { ffmpeg, readMade } from '../build/cached'
import { type Clip, movie } from '../build/clip'
import { setEdits } from '../build/edits'
import { exifSegment, profileSegments, segment, withSegments } from '../build/jpeg'
import { id3v1 } from '../build/mp3'
import { colourProfile, hashOf } from '../build/profile'
import { rotate } from '../build/tracks'
import { makeWav } from '../build/wav'
import { type Known, picture, sound } from '../recipe'
import { judge } from './judge'

type Broken = { name: string; format: string; known: Known; source: Buffer; copy: Buffer; expected: RegExp }

/** The judge is judged: a copy that is what it should be has no fault, and each way of breaking one has the words for it. */
export async function proveJudge(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-judge-'))
  try {
    for (const { name, format, known, source, copy, expected } of [...(await movies()), ...(await pictures()), ...sounds()]) {
      const [from, path] = [join(folder, `source.${format}`), join(folder, `copy.${format}`)]
      await writeFile(from, source)
      await writeFile(path, copy)
      const { width, height, seconds } = known
      const faults = (
        await judge({ path, source: from, known, media: create(VerifiedMediaSchema, { format, width, height, seconds }) })
      ).join('; ')
      report.check(`the judge of a ${format}: ${name}`, expected.test(faults), `said ${faults || 'nothing'}, expected ${expected}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const clean: Clip = {
  container: 'mp4',
  colour: ['bt709', 'bt709', 'bt709'],
  turn: 90,
  mux: ['-movflags', '+faststart', '-fflags', '+bitexact', '-map_metadata', '-1', '-map_chapters', '-1'],
}

async function movies(): Promise<Broken[]> {
  const turned = (boxes: Box[]) => {
    rotate(boxes, 90)
    const header = find(boxes, 'moov')
    header.children = header.children?.filter(({ type }) => type !== 'udta') ?? []
  }
  const recipe = (more: Partial<Clip> = {}) => movie('judge', 'plain', { ...clean, change: turned, ...more })
  const { known } = recipe()
  const source = await recipe().make()
  const changed = (change: (boxes: Box[]) => void) => {
    const boxes = readBoxes(source)
    change(boxes)
    return writeBoxes(boxes)
  }
  const moov = (boxes: Box[]) => find(boxes, 'moov')
  const ways: [string, RegExp, Buffer | Promise<Buffer>][] = [
    ['a good copy', /^$/, source],
    ['a frame is dropped', /58 frames|frames are not|57 frames/, recipe({ mux: [...(clean.mux ?? []), '-frames:v', '58'] }).make()],
    ['encoded again', /frames are not those/, recipe({ encode: ['-crf', '40'] }).make()],
    ['not turned', /turned/, changed(boxes => rotate(boxes, 0))],
    ['another colour', /colour/, recipe({ colour: ['bt470bg', 'gamma28', 'bt470bg'] }).make()],
    ['frames hidden by an edit list', /without the edit list/, changed(boxes => setEdits(boxes, [{ seconds: 1, from: 0 }]))],
    [
      'nothing for ten seconds first',
      /first frame is shown at 10/,
      changed(boxes => setEdits(boxes, [{ seconds: 10 }, { seconds: 2, from: 0 }])),
    ],
    ['user data', /user data/, changed(boxes => void moov(boxes).children?.push(box('udta', u32(0))))],
    ['a tag', /tag title/, recipe({ mux: [...(clean.mux ?? []), '-metadata', 'title=x'], change: boxes => rotate(boxes, 90) }).make()],
    ['a unknown box behind', /boxes/, bytes(source, u32(12), 'abcd', u32(0))],
    ['half its data', /outside mdat|ffmpeg/, source.subarray(0, source.length >> 1)],
    ['no sound', /streams video$|streams video;/, recipe({ maps: ['-map', '0:v'] }).make()],
    ['a second film', /streams/, recipe({ maps: ['-map', '0', '-map', '0:v'] }).make()],
    ['moov at its end', /moov stands behind/, recipe({ mux: ['-fflags', '+bitexact', '-map_metadata', '-1'] }).make()],
    ['a sample that is noise', /ffmpeg|frames are not/, changed(boxes => void find(boxes, 'mdat').body.fill(0x5a, 20_000, 30_000))],
    ['a lying table', /s decoded|mp4box/, changed(boxes => void find(tracksOf(boxes, 'vide'), 'mdhd').body.writeUInt32BE(60_000, 12))],
  ]
  return Promise.all(ways.map(async ([name, expected, copy]) => ({ name, expected, format: 'mp4', known, source, copy: await copy })))
}

async function pictures(): Promise<Broken[]> {
  const profile = colourProfile('Display P3')
  const plain = (source: string) =>
    readMade(ffmpeg('jpg', ['-f', 'lavfi', '-i', `${source}=size=384x288`, '-frames:v', '1', '-flags', '+bitexact']))
  const [base, other] = [await plain('testsrc2'), await plain('testsrc')]
  const dressed = (jpeg: Buffer, orientation = 6, colours = profile, more: Buffer[] = []) =>
    withSegments(jpeg, [
      segment(0xe1, 'Exif\0\0MM\0*', u32(8), Buffer.from([0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])),
      ...profileSegments(colours),
      ...more,
    ])
  const source = dressed(base)
  const known = picture(288, 384, { orientation: 6, profile: hashOf(profile) })
  const ways: [string, RegExp, Buffer][] = [
    ['a good copy', /^$/, source],
    ['another picture', /not that of the client/, dressed(other)],
    ['not turned', /orientation/, dressed(base, 1)],
    ['another profile', /profile/, dressed(base, 6, colourProfile('sRGB'))],
    ['a comment', /segment fe/, dressed(base, 6, profile, [segment(0xfe, 'x')])],
    ['all of EXIF', /EXIF of/, withSegments(base, [exifSegment({ orientation: 6, gps: true }), ...profileSegments(profile)])],
    ['a newline behind', /no end marker/, bytes(source, '\n')],
    ['half its data', /djpeg|ffmpeg/, source.subarray(0, source.length >> 1)],
  ]
  return ways.map(([name, expected, copy]) => ({ name, expected, format: 'jpeg', known, source, copy }))
}

function sounds(): Broken[] {
  const source = makeWav({ seconds: 2 })
  const known = sound(2, 1_152 / 44_100)
  const ways: [string, RegExp, Buffer][] = [
    ['a good copy', /^$/, source],
    ['a tenth of a second less', /s decoded/, makeWav({ seconds: 1.9 })],
    ['another sound', /not that of the client/, makeWav({ seconds: 2, bits: 24 })],
    ['a tag behind', /lengths that are not its own/, bytes(source, id3v1('x'))],
    ['a length that lies', /lengths|sox/, makeWav({ seconds: 2, streamed: 0xffffffff })],
  ]
  const float = makeWav({ seconds: 2, bits: 32, float: true, form: 'extensible' })
  // Of PCM's length, though its code says that more of it follows.
  const short = makeWav({ seconds: 2, bits: 32, float: true })
  return [
    ...ways.map(([name, expected, copy]) => ({ name, expected, format: 'wav', known, source, copy })),
    { name: 'a good copy of the extensible form', expected: /^$/, format: 'wav', known, source: float, copy: float },
    { name: 'a float copy without the extended part', expected: /sox.*extended/, format: 'wav', known, source: short, copy: short },
  ]
}
