import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkFiles, localPaths, withDurations, withStandIns, withUploads } from './media'
import { readField, readRequest, readTags } from './read-request'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-cli-'))

/** A WAV of silence: a header and `seconds` of 8 kHz mono. */
function wav(seconds: number): string {
  const bytes = Math.round(seconds * 8_000)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  const path = join(folder, `${seconds}.wav`)
  writeFileSync(path, Buffer.concat([header, Buffer.alloc(bytes, 128)]))
  return path
}

test('options become the fields of the API, and nothing that was not said', () => {
  expect(readRequest('A boat', { model: 'alpha-h3' })).toEqual({ model: 'alpha-h3', prompt: 'A boat' })
  expect(readRequest('A boat', { model: 'alpha-h3', duration: 6, aspectRatio: '16:9', generateAudio: false, seed: 0 })).toEqual({
    ...{ model: 'alpha-h3', prompt: 'A boat', duration: 6, aspect_ratio: '16:9', generate_audio: false, seed: 0 },
  })
})

test('the files say which mode is meant, unless it is said', () => {
  const modeOf = (options: object) => readRequest('A boat', options).mode
  expect(modeOf({ image: 'a.jpg' })).toBe('image-to-video')
  expect(modeOf({ endImage: 'a.jpg' })).toBe('image-to-video')
  expect(modeOf({ referenceAudio: ['a.mp3'] })).toBe('media-to-video')
  expect(modeOf({ image: 'a.jpg', mode: 'media-to-video' })).toBe('media-to-video')
})

test('a field is a number, a boolean, a list or a text, by what it looks like', () => {
  expect(['seed=5', 'watermark=true', 'resolution=768p', 'aspect_ratio=16:9', 'a_list=[1,2]', 'prompt=a=b', 'x='].map(readField)).toEqual([
    ['seed', 5],
    ['watermark', true],
    ['resolution', '768p'],
    ['aspect_ratio', '16:9'],
    ['a_list', [1, 2]],
    ['prompt', 'a=b'],
    ['x', ''],
  ])
  for (const text of ['seed', '=5', 'Seed=5', 'a b=c']) expect(() => readField(text)).toThrow('is not name=value')
})

test('tags are read as name=value, each once', () => {
  expect(readTags(['project=spring', 'shot=a=b'])).toEqual({ project: 'spring', shot: 'a=b' })
  expect(readTags([])).toBeUndefined()
  expect(() => readTags(['project'])).toThrow('is not name=value')
  expect(() => readTags(['a=1', 'a=2'])).toThrow('twice')
})

test('each local path is uploaded once, and URLs pass', async () => {
  const body = { image_url: 'a.jpg', end_image_url: 'https://x.example/b.jpg', reference_image_urls: ['a.jpg', 'c.jpg'], prompt: 'a.jpg' }
  expect(localPaths(body)).toEqual(['a.jpg', 'c.jpg'])
  const uploaded: string[] = []
  const upload = async (path: string) => {
    uploaded.push(path)
    return `https://up.example/${path}`
  }
  expect(await withUploads(body, upload)).toEqual({
    image_url: 'https://up.example/a.jpg',
    end_image_url: 'https://x.example/b.jpg',
    reference_image_urls: ['https://up.example/a.jpg', 'https://up.example/c.jpg'],
    prompt: 'a.jpg',
  })
  expect(uploaded).toEqual(['a.jpg', 'c.jpg'])
  expect(withStandIns(body)).toMatchObject({
    image_url: expect.stringMatching(/^https:/),
    end_image_url: 'https://x.example/b.jpg',
    prompt: 'a.jpg',
  })
})

test('a missing, empty or other thing than a file is named with its option before anything is sent', async () => {
  writeFileSync(join(folder, 'empty.jpg'), '')
  await expect(checkFiles({ image_url: 'gone.jpg' })).rejects.toThrow('--image gone.jpg: there is no such file.')
  await expect(checkFiles({ reference_video_urls: [folder] })).rejects.toThrow(`--reference-video ${folder}: this is no file.`)
  await expect(checkFiles({ end_image_url: join(folder, 'empty.jpg') })).rejects.toThrow('the file is empty')
  await checkFiles({ image_url: 'https://x.example/gone.jpg' })
})

test('how long a local file is, is read and rounded up; of a URL it must be said', async () => {
  expect(await withDurations({ reference_audio_urls: [wav(2.25), wav(3)] })).toMatchObject({ reference_audio_durations: [3, 3] })
  await expect(withDurations({ reference_video_urls: ['https://x.example/a.mp4'] })).rejects.toMatchObject({
    exit: 2,
    hints: [expect.stringContaining('--reference-video-duration')],
  })
  const told = { reference_video_urls: ['https://x.example/a.mp4'], reference_video_durations: [4] }
  expect(await withDurations(told)).toEqual(told)
})
