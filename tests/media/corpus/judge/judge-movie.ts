import { readFile } from 'node:fs/promises'
import type { VerifiedMedia } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { Known } from '../recipe'
import { decode, type Film, isRunOf, type Probed, probe } from './decode'
import { readStrictly } from './strict-movie'

/** What a muxer writes by itself and tells nothing of the file it copied. */
const ownTags = /^(?:major_brand|minor_version|compatible_brands|handler_name|vendor_id|language|encoder)$/
const ownValues = /^(?:VideoHandler|SoundHandler|Core Media (?:Video|Audio)|\[0\]\[0\]\[0\]\[0\]|FFMP|und|Lavf.*)$/
/** Of a copy that was encoded again. */
const ownEncoder = 'Lavc libx264'
const near = (one: number, other: number, off: number) => Math.abs(one - other) <= off + 0.0015

const soundOverhangSeconds = 0.2

export type Copy = { path: string; source: string; known: Known; media: VerifiedMedia }

/** What is wrong with the copy of a movie; nothing where it is what the recipe says. */
export async function judgeMovie({ path, source, known, media }: Copy): Promise<string[]> {
  const [film, plain, original, probed, file] = await Promise.all([
    decode(path),
    decode(path, { editList: false }),
    decode(source, { editList: false, lenient: true }),
    probe(path),
    readFile(path),
  ])
  const [shown, raw] = [film.picture, plain.picture]
  const strict = readStrictly(file)
  const faults = [...strict.complaints]
  const expect = (holds: boolean, words: string) => void (holds || faults.push(words))
  expect(film.complaint === '' && plain.complaint === '', `ffmpeg: ${film.complaint || plain.complaint}`)
  expect(Math.abs(shown.frames - known.frames) <= 1, `${shown.frames} frames, ${known.frames} known`)
  expect(near(shown.seconds, known.seconds, known.frameSeconds), `${shown.seconds} s decoded, ${known.seconds} s known`)
  expect(near(media.seconds, known.seconds, known.frameSeconds), `${media.seconds} s measured, ${known.seconds} s known`)
  expect(near(shown.firstAt, 0, known.frameSeconds), `its first frame is shown at ${shown.firstAt} s`)
  expect(raw.frames === shown.frames, `${raw.frames} frames without the edit list, ${shown.frames} with it`)
  expect(near(raw.seconds, shown.seconds, 0), `${raw.seconds} s without the edit list, ${shown.seconds} s with it`)
  expect(strict.frames === shown.frames, `mp4box: ${strict.frames} frames of ${shown.frames}`)
  expect(near(strict.seconds, shown.seconds, known.frameSeconds), `mp4box: ${strict.seconds} s of ${shown.seconds}`)
  expect(known.encodedAgain === true || isRunOf(shown.checksums, original.picture.checksums), 'frames are not those of the client’s file')
  expect(media.width === known.width && media.height === known.height, `${media.width} × ${media.height} measured`)
  faults.push(...look(probed, known))
  if (known.sound) faults.push(...listen(film, plain))
  return faults
}

function look({ format, chapters, streams }: Probed, known: Known): string[] {
  const faults: string[] = []
  const kinds = streams.map(stream => stream.codec_type).join(' ')
  const wanted = known.sound ? ['video audio', 'audio video'] : ['video']
  if (!wanted.includes(kinds)) faults.push(`streams ${kinds}`)
  if (chapters.length) faults.push('chapters')
  const tags = [format.tags ?? {}, ...streams.map(stream => stream.tags ?? {})].flatMap(Object.entries)
  const isOwn = (value: string) => ownValues.test(value) || (known.encodedAgain === true && value === ownEncoder)
  const odd = tags.find(
    ([key, value]) => !ownTags.test(key) || (['handler_name', 'encoder', 'vendor_id'].includes(key) && !isOwn(String(value))),
  )
  if (odd) faults.push(`tag ${odd.join(' = ')}`)
  const video = streams.find(stream => stream.codec_type === 'video')
  const turn = video?.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0
  if (((-turn % 360) + 360) % 360 !== known.orientation) faults.push(`turned ${turn}, ${known.orientation} known`)
  const { colour } = known
  const seen = [video?.color_primaries, video?.color_transfer, video?.color_space].join(' ')
  if (colour && seen !== `${colour.primaries} ${colour.transfer} ${colour.matrix}`)
    faults.push(`colour ${seen}, ${Object.values(colour).join(' ')} known`)
  return faults
}

/** There is sound, and it doesn't outlast the picture by more than a provider would notice. */
function listen({ picture, sound }: Film, { sound: unlisted }: Film): string[] {
  const end = Math.max(sound.firstAt + sound.seconds, unlisted.firstAt + unlisted.seconds)
  return [
    ...(sound.frames === 0 ? ['no sound'] : []),
    ...(end > picture.seconds + soundOverhangSeconds ? [`sound to ${end} s, picture to ${picture.seconds} s`] : []),
  ]
}
