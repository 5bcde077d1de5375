import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { box, type Edit, editList, withEdits } from '../../testing/movie-boxes'
import { decoded, h264, type Movies, openMovies, picture, probed, tone } from '../../testing/movies'

// Three seconds with a key frame each second at 15,360 ticks/s; decoding is two frames (1,024) ahead.
let movies: Movies
let plain: Buffer
const ahead = 1_024
const second = 15_360
beforeAll(async () => {
  movies = await openMovies()
  plain = await readFile(await movies.make('plain.mov', ...picture(), ...tone(), ...h264, '-c:a', 'aac'))
})
afterAll(() => movies.close())

async function outcomeOf(...lists: (Buffer[] | undefined)[]) {
  const path = movies.pathOf(`${crypto.randomUUID()}.mov`)
  await writeFile(path, withEdits(plain, ...lists))
  return movies.outcome(path)
}

/** To the end of the last packet of sound. */
async function soundSeconds(copy: string): Promise<number> {
  const packets = await probed(copy, '-select_streams', 'a', '-show_entries', 'packet=pts_time,duration_time')
  return (packets.at(-1) ?? '').split('|').reduce((sum, part) => sum + Number(part), 0)
}

const lists = (...edits: Edit[]) => [editList(edits)]
const sound = lists([3_000, 1_024])

test.each([
  ['shows all of it', lists([3_000, ahead]), 3],
  ['is absent', undefined, 3],
  ['begins at a key frame', lists([2_000, ahead + second]), 2],
  ['begins between key frames', lists([2_500, ahead + second / 2]), 2.5],
  ['ends early', lists([2_200, ahead]), 2.2],
  ['waits a hundred seconds before it begins', lists([100_000, -1], [3_000, ahead]), 3],
  ['says it is a minute', lists([60_000, ahead]), 3],
  ['shows nothing after its end', lists([3_000, ahead], [2_000, -1]), 3],
  ['shows it five times', lists(...Array<Edit>(5).fill([3_000, ahead])), 15],
] as [string, Buffer[] | undefined, number][])('a movie whose edit list %s is decoded with that length', async (_, edits, seconds) => {
  const { outcome, copy } = await outcomeOf(edits, sound)
  expect(outcome).toMatchObject({ frameRate: 30, seconds: expect.closeTo(seconds, 3) })
  expect((await decoded(copy)).seconds).toBeCloseTo(seconds, 3)
})

test.each([
  ['join between key frames', lists([1_000, ahead], [1_500, ahead + second / 2])],
  ['come in another order', lists([1_000, ahead + 1.7 * second], [1_500, ahead])],
] as [string, Buffer[]][])('pieces that %s are all shown, and audible, to a frame', async (_, edits) => {
  const { outcome, copy } = await outcomeOf(edits, edits)
  if ('refused' in outcome) throw new Error(outcome.found)
  const shown = await decoded(copy)
  expect(shown.frames).toBe(75)
  for (const seconds of [outcome.seconds, shown.seconds, await soundSeconds(copy)]) expect(Math.abs(seconds - 2.5)).toBeLessThan(0.04)
})

test.each([
  ['shows it twenty times', lists(...Array<Edit>(20).fill([3_000, ahead])), 'media_duration'],
  ['shows a tenth of a second', lists([100, ahead]), 'media_duration'],
  ['begins behind its end', lists([3_000, 50 * second]), 'media_corrupt'],
  ['plays at half the speed', lists([3_000, ahead, 0.5]), 'media_type_unsupported'],
  ['holds a frame', lists([3_000, ahead, 0]), 'media_type_unsupported'],
  ['shows nothing between two pieces', lists([1_000, ahead], [500, -1], [1_000, ahead + second]), 'media_type_unsupported'],
] as [string, Buffer[], string][])('a movie whose edit list %s is rejected', async (_, edits, refused) => {
  expect((await outcomeOf(edits, sound)).outcome).toMatchObject({ refused })
})

test('sound that an edit list repeats for a minute is not encoded', async () => {
  const edits = lists(...Array<Edit>(20).fill([3_000, ahead]))
  expect((await outcomeOf(edits, edits)).outcome).toMatchObject({ refused: 'media_duration' })
})

test.each([
  ['behind a true one', [editList([[3_000, ahead]]), editList(Array(20).fill([3_000, ahead]))]],
  [
    'in one edts with a valid one',
    [box('edts', editList([[3_000, ahead]]).subarray(8), editList(Array(20).fill([3_000, ahead])).subarray(8))],
  ],
  ['straight in its track', [editList([[3_000, ahead]]), editList(Array(20).fill([3_000, ahead])).subarray(8)]],
] as [string, Buffer[]][])('with two edit lists %s, the copy is unambiguous', async (_, edits) => {
  const { outcome, copy } = await outcomeOf(edits, sound)
  if ('refused' in outcome) expect(outcome.refused).toBe('media_duration')
  else expect((await decoded(copy)).seconds).toBeCloseTo(outcome.seconds, 3)
})

test('a minute with an edit list of five seconds is measured as five seconds', async () => {
  const path = await movies.make('minute.mp4', ...picture(60), ...h264)
  const movie = await readFile(path)
  const at = (type: string) => movie.indexOf(type, 0, 'latin1') + 4
  movie.writeUInt32BE(5_000, at('mvhd') + 16)
  movie.writeUInt32BE(5_000, at('tkhd') + 20)
  movie.writeUInt32BE(5_000, at('elst') + 8)
  await writeFile(path, movie)
  const { outcome, copy } = await movies.outcome(path)
  expect(outcome).toMatchObject({ seconds: 5 })
  expect((await decoded(copy)).seconds).toBeCloseTo('refused' in outcome ? 0 : outcome.seconds, 3)
})
