import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { box, type Edit, editList, withEdits } from '../../testing/movie-boxes'
import { decoded, h264, type Movies, openMovies, picture, tone } from '../../testing/movies'

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

const lists = (...edits: Edit[]) => [editList(edits)]
const sound = lists([3_000, 1_024])

test.each([
  ['shows all of it', lists([3_000, ahead]), 3],
  ['is absent', undefined, 3],
  ['begins at a key frame', lists([2_000, ahead + second]), 2],
  ['begins between key frames: from the one before', lists([2_500, ahead + second / 2]), 3],
  ['ends early: a coder’s last group whole', lists([2_200, ahead]), 2 + 7 / 30],
  ['waits a hundred seconds before it begins', lists([100_000, -1], [3_000, ahead]), 3],
  ['says it is a minute', lists([60_000, ahead]), 3],
  ['plays at half the speed', lists([3_000, ahead, 0.5]), 3],
  ['shows it five times', lists(...Array<Edit>(5).fill([3_000, ahead])), 15],
] as [string, Buffer[] | undefined, number][])('a movie whose edit list %s is decoded with that length', async (_, edits, seconds) => {
  const { outcome, copy } = await outcomeOf(edits, sound)
  expect(outcome).toMatchObject({ frameRate: 30, seconds: expect.closeTo(seconds, 3) })
  expect((await decoded(copy)).seconds).toBeCloseTo(seconds, 3)
})

test.each([
  ['shows it twenty times', lists(...Array<Edit>(20).fill([3_000, ahead])), 'media_duration'],
  ['shows a tenth of a second', lists([100, ahead]), 'media_duration'],
  ['begins behind its end', lists([3_000, 50 * second]), 'media_corrupt'],
  ['joins pieces that begin between key frames', lists([1_000, ahead], [1_000, ahead + second / 2]), 'media_corrupt'],
] as [string, Buffer[], string][])('a movie whose edit list %s is rejected', async (_, edits, refused) => {
  expect((await outcomeOf(edits, sound)).outcome).toMatchObject({ refused })
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
