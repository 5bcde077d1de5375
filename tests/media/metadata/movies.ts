import { type Box, box, bytes, find, findAll, rawBox, text, tracksOf, u32 } from '../corpus/build/boxes'
import { type Clip, movie } from '../corpus/build/clip'
import { addDataTrack, addKeys, words as atom, captions, opaque, setUserData } from '../corpus/build/tracks'
import { marker } from './markers'
import type { Planted } from './planted'

/** Seconds since 1904 of a date of its own. */
const plantedDateBytes = u32(3_648_000_123)

type Plant = (words: string) => Partial<Clip>
const changed =
  (change: (boxes: Box[], words: string) => void): Plant =>
  words => ({ change: boxes => change(boxes, words) })

const plants: Record<string, Plant> = {
  'position in ©xyz': changed((boxes, words) => setUserData(boxes, { '\xa9xyz': atom(`+48.1173+011.5167/${words}`) })),
  'title and artist': changed((boxes, words) =>
    setUserData(boxes, { '\xa9nam': atom(words), '\xa9ART': atom(words), '\xa9day': atom('2019-08-07') }),
  ),
  'Apple’s keys': changed((boxes, words) =>
    addKeys(boxes, { 'com.apple.quicktime.location.ISO6709': '+48.1173+011.5167/', 'com.apple.quicktime.model': words }),
  ),
  'tags of iTunes': words => ({
    mux: [
      '-metadata',
      `title=${words}`,
      '-metadata',
      `artist=${words}`,
      '-metadata',
      `comment=${words}`,
      '-metadata',
      'creation_time=2019-08-07T06:05:04Z',
    ],
  }),
  'tags of all kinds': words => ({
    mux: ['-movflags', 'use_metadata_tags', '-metadata', `serial=${words}`, '-metadata', `location=${words}`],
  }),
  'XMP in a uuid': changed(
    (boxes, words) => void boxes.splice(1, 0, box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), words)),
  ),
  'a free box': changed((boxes, words) => void boxes.splice(1, 0, box('free', words))),
  'a box behind moov': words => ({ finish: file => bytes(file, rawBox('sefd', words)) }),
  'words behind all boxes': words => ({ finish: file => bytes(file, rawBox('skip', words), rawBox('free')) }),
  'a track’s user data': changed((boxes, words) => void tracksOf(boxes, 'vide')[0]?.children?.push(box('udta', rawBox('name', words)))),
  'a track’s metadata': changed(
    (boxes, words) => void tracksOf(boxes, 'vide')[0]?.children?.push(box('meta', u32(0), rawBox('xml ', words))),
  ),
  'a handler’s name': words => ({ mux: ['-metadata:s:v', `handler_name=${words}`, '-metadata:s:a', `handler_name=${words}`] }),
  'a telemetry track': changed((boxes, words) =>
    addDataTrack(boxes, { ...opaque('meta', 'gpmd', 2, 500), samples: [text(`GPS5${words}`), text(words)] }),
  ),
  'a track of captions': changed((boxes, words) => addDataTrack(boxes, captions('sbtl', 'tx3g', [words, words], 900))),
  'a chapter’s title': words => ({
    inputs: [
      '-f',
      'ffmetadata',
      '-i',
      `data:text/plain;base64,${Buffer.from(`;FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=${words}\n`).toString('base64')}`,
    ],
    maps: ['-map', '0', '-map_chapters', '1'],
  }),
  'cover art': changed((boxes, words) =>
    setUserData(boxes, {
      meta: bytes(
        u32(0),
        rawBox('hdlr', u32(0), u32(0), 'mdirappl', Buffer.alloc(9)),
        rawBox('ilst', rawBox('covr', rawBox('data', u32(13), u32(0), Buffer.from('ffd8ffe0', 'hex'), words))),
      ),
    }),
  ),
  'bytes of mdat that no track shows': changed((boxes, words) => {
    const data = find(boxes, 'mdat')
    data.body = bytes(data.body, words.repeat(20))
  }),
  'a second mdat': changed((boxes, words) => void boxes.push(box('mdat', words))),
  'the compressor’s name': changed((boxes, words) => {
    const [track] = tracksOf(boxes, 'vide')
    const entry = find(track ? [track] : [], 'stsd').body
    entry[8 + 50] = words.length
    entry.write(words, 8 + 51, 'latin1')
  }),
  'dates of the movie and its tracks': changed(boxes => {
    for (const type of ['mvhd', 'tkhd', 'mdhd']) for (const header of findAll(boxes, type)) header.body.fill(plantedDateBytes, 4, 12)
  }),
  'words of the encoder within the picture': words => ({
    mux: ['-bsf:v', `h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+${words}`],
  }),
  'words of the encoder in fragments': words => ({
    mux: ['-bsf:v', `h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+${words}`, '-movflags', 'frag_keyframe+empty_moov'],
  }),
}

export function plantedMovies(): Planted[] {
  return Object.entries(plants).flatMap(([name, plant]) =>
    (['mp4', 'mov'] as const).map(container => {
      const words = marker(`${container} ${name}`)
      return { words: [words], recipe: movie(`metadata of ${container}`, name, { container, bFrames: 2, ...plant(words) }) }
    }),
  )
}
