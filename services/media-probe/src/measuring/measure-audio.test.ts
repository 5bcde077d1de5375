import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../child/find-tools'
import type { Tools } from '../child/tools'
import { findingOf } from '../errors'
import { ffmpegBytes, makeFile, sine } from '../testing/make-sound'
import { measure } from './measure'

let folder: string
let tools: Tools
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'measure-audio-'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, folder, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 25_000, coresMax: 2 }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const limits = create(KindLimitsSchema, { secondsMin: 2, secondsMax: 15, formats: ['mp3', 'wav'] })

/** The measured length, or the rejection. */
async function measured(format: 'mp3' | 'wav', file: Buffer, declaredSeconds = 0): Promise<number | string> {
  const path = join(folder, crypto.randomUUID())
  await Bun.write(path, file)
  const { signal } = new AbortController()
  const source = { path, copyPath: `${path}-copy`, folder, kind: MediaKind.AUDIO, format, limits, declaredSeconds, signal }
  try {
    return (await measure(tools, source)).seconds
  } catch (error) {
    return error instanceof Failure ? `${error.reason}: ${findingOf(error).measured}` : String(error)
  }
}

const mp3 = (seconds: number, options: string[] = []) => makeFile(folder, `${crypto.randomUUID()}.mp3`, [...sine(seconds), ...options])
const wav = (seconds: number, options: string[] = []) => makeFile(folder, `${crypto.randomUUID()}.wav`, [...sine(seconds), ...options])

test.each(['8000', '12000', '24000', '44100'])('encoder padding doesn’t turn five seconds into six: MP3 of %s Hz', async rate => {
  for (const header of ['1', '0']) expect(await measured('mp3', await mp3(5, ['-ar', rate, '-write_xing', header]), 5)).toBe(5)
})

test('an excess longer than padding counts: 5.2 s are six', async () => {
  const file = await mp3(5.2, ['-write_xing', '0'])
  expect(await measured('mp3', file, 6)).toBeCloseTo(5.24, 1)
  expect(await measured('mp3', file, 5)).toStartWith('media_duration_mismatch')
  expect(await measured('mp3', await mp3(15, ['-write_xing', '0']), 15)).toBe(15)
  expect(await measured('mp3', await mp3(15.2, ['-write_xing', '0']))).toStartWith('media_duration')
})

describe('every uncompressed WAV is measured by its copy', () => {
  test.each([
    ['8 bits', ['-c:a', 'pcm_u8', '-ar', '8000']],
    ['24 bits in stereo', ['-c:a', 'pcm_s24le', '-ac', '2']],
    ['32 bits', ['-c:a', 'pcm_s32le', '-ar', '96000']],
    ['floats', ['-c:a', 'pcm_f32le', '-ac', '2']],
    ['double floats', ['-c:a', 'pcm_f64le']],
    ['six loudspeakers', ['-ac', '6']],
    ['eight loudspeakers of 24 bits', ['-ac', '8', '-c:a', 'pcm_s24le', '-ar', '48000']],
    ['RF64', ['-rf64', 'always']],
    ['a broadcast recorder’s', ['-write_bext', '1', '-metadata', 'originator=Jane']],
  ] as [string, string[]][])('%s', async (_, options) => {
    expect(await measured('wav', await wav(3, options), 3)).toBe(3)
  })

  test('a WAV that was written to a pipe', async () => {
    expect(await measured('wav', await ffmpegBytes([...sine(3), '-f', 'wav']), 3)).toBe(3)
  })
})

test.each([
  ['MP3', ['-c:a', 'libmp3lame'], 'a WAV that holds MP3'],
  ['A-law', ['-c:a', 'pcm_alaw'], 'a WAV that holds A-law'],
  ['ADPCM', ['-c:a', 'adpcm_ms'], 'a WAV that holds Microsoft ADPCM'],
] as [string, string[], string][])('a WAV with %s is rejected with a message', async (_, options, words) => {
  expect(await measured('wav', await wav(3, options))).toBe(`media_type_unsupported: ${words}`)
})

test('PCM that some players read as Dolby is rejected', async () => {
  const dolby = await ffmpegBytes([...sine(3), '-ac', '2', '-ar', '48000', '-c:a', 'ac3', '-f', 'spdif'])
  const path = join(folder, 'dolby.raw')
  await Bun.write(path, dolby)
  const file = await makeFile(folder, 'dolby.wav', ['-f', 's16le', '-ar', '48000', '-ac', '2', '-i', path, '-c', 'copy'])
  expect(await measured('wav', file)).toBe('media_type_unsupported: a WAV that players read as ac3 too')
})
