import { readFile } from 'node:fs/promises'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { showInChromium } from '../corpus/judge/chromium'
import { decode } from '../corpus/judge/decode'
import type { Copy } from '../corpus/judge/judge-movie'
import { readStrictly } from '../corpus/judge/strict-movie'
import type { Recipe } from '../corpus/recipe'
import { type Judged, judgeAll } from '../corpus/suite'
import { twoReadings } from './movies'
import { otherReadings } from './others'

const filesMin = 200
/** Rounding of three readers' clocks. */
const roundingSeconds = 0.03
/** What an MP3 encoder puts before and behind a sound, where no header says how much. */
const leadInFrames = 3
/** Sound's last frames may end behind the picture. */
const overhangSeconds = 0.2

/** Nothing is declared of them: what is measured is what is paid. */
export const filesOfTwoReadings = (): Recipe[] => [...twoReadings(), ...otherReadings()].map(recipe => ({ ...recipe, declaredSeconds: 0 }))

/** Files that can be read in two ways end as a copy of one reading, priced for what is in it, or are refused. */
export async function proveReadings(report: Report, prefix: string): Promise<void> {
  const recipes = filesOfTwoReadings()
  report.check('there are enough of them', recipes.length >= filesMin, `${recipes.length}`)
  const judged = await judgeAll(recipes, prefix, judgeReading, addChromium)
  for (const { recipe, outcome, faults } of judged) {
    const known = outcome.code === 'verified' || /^media_(?!unreachable)/.test(outcome.code)
    report.check(`${recipe.family} · ${recipe.name}`, known && faults.length === 0, [outcome.code, ...faults].join('; '))
  }
  const taken = judged.filter(({ copy }) => copy)
  for (const [family, files] of Map.groupBy(judged, ({ recipe }) => recipe.family))
    report.figure(`readings.taken.${family}`, `${files.filter(({ copy }) => copy).length} of ${files.length}`)
  report.figure('readings.files', judged.length)
  report.figure('readings.taken', taken.length)
  report.figure('readings.decision_seconds_at_most', Math.max(...judged.map(({ seconds }) => seconds)))
}

export async function judgeReading({ path, media }: Copy): Promise<string[]> {
  if (media.format === 'mp4' || media.format === 'mov') return judgeMovie(path, media.seconds)
  if (media.format === 'mp3' || media.format === 'wav') {
    const { sound, complaint } = await decode(path)
    return [
      ...(complaint ? [`ffmpeg: ${complaint}`] : []),
      ...beside(
        'decoded',
        sound.seconds,
        media.seconds,
        media.format === 'mp3' ? leadInFrames * (sound.seconds / Math.max(1, sound.frames)) : 0,
      ),
    ]
  }
  const { picture, complaint } = await decode(path)
  return [...(complaint ? [`ffmpeg: ${complaint}`] : []), ...(picture.frames === 1 ? [] : [`${picture.frames} pictures`])]
}

async function judgeMovie(path: string, priced: number): Promise<string[]> {
  const [film, plain] = await Promise.all([decode(path), decode(path, { editList: false })])
  const [shown, raw] = [film.picture, plain.picture]
  const strict = readStrictly(await readFile(path))
  const frame = shown.frames ? shown.seconds / shown.frames : 0
  const heardTo = Math.max(
    0,
    ...[film.sound, plain.sound].filter(({ frames }) => frames > 0).map(({ firstAt, seconds }) => firstAt + seconds),
  )
  return [
    ...(film.complaint || plain.complaint ? [`ffmpeg: ${film.complaint || plain.complaint}`] : []),
    ...strict.complaints,
    ...(shown.frames === raw.frames ? [] : [`${raw.frames} frames without the edit list, ${shown.frames} with it`]),
    ...(shown.firstAt > frame + roundingSeconds ? [`its first frame is shown at ${shown.firstAt} s`] : []),
    ...beside('decoded', shown.seconds, priced, frame),
    ...beside('decoded without the edit list', raw.seconds, priced, frame),
    ...beside('in mp4box', strict.seconds, priced, frame),
    ...(heardTo > priced + overhangSeconds ? [`sound to ${heardTo} s, ${priced} s priced`] : []),
  ]
}

const beside = (how: string, seconds: number, priced: number, off: number) =>
  Math.abs(seconds - priced) <= off + roundingSeconds ? [] : [`${seconds} s ${how}, ${priced} s priced`]

async function addChromium(judged: Judged[]): Promise<void> {
  const shown = judged.filter(({ copy, recipe }) => copy && recipe.kind !== MediaKind.IMAGE)
  const seen = await showInChromium(
    shown.map(({ copy, recipe }) => ({ path: copy?.path ?? '', how: recipe.kind === MediaKind.VIDEO ? 'movie' : 'sound' })),
  )
  for (const { copy, faults } of shown) {
    const look = seen.get(copy?.path ?? '')
    if (!look || !copy) continue
    if (look.fault) faults.push(`Chromium: ${look.fault}`)
    else if (look.seconds > copy.media.seconds + overhangSeconds) faults.push(`Chromium: ${look.seconds} s, ${copy.media.seconds} s priced`)
  }
}
