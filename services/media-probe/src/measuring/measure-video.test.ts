import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noCageExit } from '../child/cage/cage-options'
import { h264, type Movies, movieLimits, openMovies, picture, tone } from '../testing/movies'

let movies: Movies
let plain: string
beforeAll(async () => {
  movies = await openMovies()
  plain = await movies.make('plain.mp4', ...picture(), ...tone(), ...h264, '-c:a', 'aac')
})
afterAll(() => movies.close())

const written = async (name: string, bytes: Buffer) => {
  await writeFile(movies.pathOf(name), bytes)
  return movies.pathOf(name)
}

/** Three seconds in one size, then one second in another, in one track. */
async function resized(size: string): Promise<string> {
  const parts = await Promise.all([
    movies.make(`${size}-a.h264`, ...picture(3), ...h264),
    movies.make(`${size}-b.h264`, ...picture(1, '30', size), ...h264, '-preset', 'ultrafast'),
  ])
  const both = await written(`${size}.h264`, Buffer.concat(await Promise.all(parts.map(part => readFile(part)))))
  return movies.make(`${size}.mp4`, '-r', '30', '-i', both, '-c', 'copy')
}

test.each(['128x128', '256x320', '1280x256', '7680x4096'])(
  'a movie that continues in %s is rejected at its first larger frame',
  async size => {
    expect((await movies.outcome(await resized(size))).outcome).toMatchObject({ refused: 'media_dimensions' })
  },
)

test.each(['1:v,0:a', '0:v,1:a'])(
  'with sound or picture starting 100 s late, the picture’s length is decoded or rejected: %s',
  async maps => {
    const map = maps.split(',').flatMap(one => ['-map', one])
    const late = await movies.make(
      `${maps}.mp4`,
      '-i',
      plain,
      '-itsoffset',
      '100',
      '-i',
      plain,
      ...map,
      '-c',
      'copy',
      '-movflags',
      'frag_keyframe+empty_moov',
    )
    const { outcome } = await movies.outcome(late)
    if ('refused' in outcome) expect(outcome.refused).toBe('media_frame_rate')
    else expect(outcome).toMatchObject({ seconds: 3 })
  },
)

test('rejections name the problem: encrypted, truncated, external data, no picture', async () => {
  const key = ['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb', '-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8']
  const encrypted = await movies.make('encrypted.mp4', '-i', plain, '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...key)
  const hidden = ['-i', await movies.make('vp9.mp4', ...picture(), '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8')]
  const encryptedVp9 = await movies.make('vp9-encrypted.mp4', ...hidden, '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...key)
  const first = await readFile(await movies.make('first.mp4', '-i', plain, '-c', 'copy', '-movflags', 'faststart'))
  const elsewhere = await readFile(plain)
  elsewhere.writeUInt8(0, elsewhere.indexOf('dref') + 4 + 8 + 11)
  const found = async (path: string) => (await movies.outcome(path)).outcome
  for (const path of [encrypted, encryptedVp9])
    expect(await found(path)).toEqual({ refused: 'media_type_unsupported', found: 'an encrypted movie' })
  for (const tenth of [1, 5, 9]) {
    const cut = await written(`cut${tenth}.mp4`, first.subarray(0, (first.length * tenth) / 10))
    expect(await found(cut)).toEqual({ refused: 'media_corrupt', found: 'a file that is cut short' })
  }
  expect(await found(await written('elsewhere.mp4', elsewhere))).toEqual({
    refused: 'media_corrupt',
    found: 'a movie whose data are in another file',
  })
  const soundAlone = await movies.make('heard.mp4', '-i', plain, '-map', '0:a', '-c', 'copy')
  expect(await found(soundAlone)).toEqual({ refused: 'media_type_unsupported', found: 'no picture that moves' })
})

test('a movie with samples past the end of the file is truncated, wherever its header is', async () => {
  const movie = await readFile(plain)
  const chunks = movie.indexOf('stco') + 8
  for (const offset of [40_000_000, 0x7fffffff]) {
    movie.writeUInt32BE(offset, chunks + 4 * movie.readUInt32BE(chunks))
    const { outcome } = await movies.outcome(await written('behind.mp4', movie))
    expect(outcome).toMatchObject({ refused: 'media_corrupt' })
  }
})

test('a copy is never larger than the file limit', async () => {
  const { outcome } = await movies.outcome(plain, { source: { limits: { ...movieLimits, bytesMax: 20_000n } } })
  expect(outcome).toEqual({ refused: 'media_too_large', found: 'more than 20000 bytes when written plainly' })
})

test.each(['landlock', 'seccomp'] as const)('only the copy is written at each isolation level: %s', async isolation => {
  const before = await readdir(movies.folder)
  const { outcome, copy } = await movies.outcome(plain, { tools: { ...movies.tools, isolation } })
  expect(outcome).toMatchObject({ seconds: 3 })
  expect((await readdir(movies.folder)).filter(name => !before.includes(name))).toEqual([copy.split('/').at(-1) ?? ''])
})

test('a trimmed clip with odd sides is taken', async () => {
  const vp9 = ['-c:v', 'libvpx-vp9', '-g', '60', '-deadline', 'realtime', '-cpu-used', '8']
  const odd = await movies.make('odd.mp4', ...picture(3), '-vf', 'scale=321:257', ...vp9)
  const trimmed = await movies.make('odd-trimmed.mp4', '-ss', '1', '-i', odd, '-c', 'copy')
  const { outcome } = await movies.outcome(trimmed)
  expect(outcome).toMatchObject({ width: 321, height: 257, seconds: expect.closeTo(2, 1) })
})

test('a decoder that the machine kills, or that finds no room, says nothing of the file', async () => {
  for (const [name, script] of [
    ['killed', 'exit 137'],
    ['no-room', 'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1'],
  ] as const) {
    const program = join(movies.folder, name)
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const measured = await movies.outcome(plain, { tools: { ...movies.tools, ffprobe: program } }).catch(error => error)
    expect([name, measured.message]).toEqual([name, expect.stringContaining('the machine')])
  }
})

test('a decoder that can’t be isolated is our own fault, and not the file’s', async () => {
  const noCage = join(movies.folder, 'no-cage')
  await writeFile(noCage, `#!/bin/sh\nexit ${noCageExit}\n`, { mode: 0o755 })
  const measured = movies.outcome(plain, { tools: { ...movies.tools, ffmpeg: noCage, ffprobe: noCage } })
  expect(measured).rejects.toThrow('a decoder can’t be isolated')
  await measured.catch(() => undefined)
})

test('an aborted run leaves no child process', async () => {
  const long = await movies.make('long.mp4', ...picture(14, '30', '1920x1080'), ...h264, '-preset', 'ultrafast')
  const ending = new AbortController()
  const measuring = movies.outcome(long, { source: { signal: ending.signal, onCopy: async () => ending.abort(new Error('told to end')) } })
  expect(measuring).rejects.toThrow('told to end')
  await measuring.catch(() => undefined)
  const ours = await Promise.all(
    (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  expect(ours.filter(command => command.includes(movies.folder))).toEqual([])
})
