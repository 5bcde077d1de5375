import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@filmgate/kit/failure'
import { checkFormat } from '../limits/check'
import { sniff } from './sniff'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sniff-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
  ['wav', 'RIFF\0\0\0\0WAVEfmt '],
  ['mp4', '\0\0\0\x18ftypisom\0\0\0\0'],
  ['mp4', '\0\0\0\x18ftypmp42\0\0\0\0'],
  ['mp4', '\0\0\0\x1cftypXAVC\x01\0\x1f\xffXAVCmp42iso2'],
  ['mp4', '\0\0\0\x18ftypdby1\0\0\0\0isomdby1'],
  ['mp4', '\0\0\0\x18ftyp3gp4\0\0\0\0isom3gp4'],
  ['mov', '\0\0\0\x14ftypqt  \0\0\0\0'],
  ['mov', '\0\0\0\x18ftypniko\0\0\0\0nikoqt  '],
  ['mov', '\0\0\x10\0moov\0\0\0lmvhd'],
  ['mp3', 'ID3\x04\0\0\0\0\0\0'],
  ['mp3', '\xff\xfb\x90\x64'],
  ['mp3', '\xff\xe3\x18\xc4'],
  ['mp3', '\xff\xfb\x00\x64'],
  ['mp3', '\0\0\0ID3\x03\0\0\0\0\0\0'],
  ['mp3', 'APETAGEX\xd0\x07\0\0'],
  ['mp3', `the rest of a frame${`\xff\xfb\x10\x64${'\0'.repeat(100)}`.repeat(4)}`],
  ['wav', 'RF64\xff\xff\xff\xffWAVEds64'],
])('%s is recognised by its first bytes', (format, bytes) => {
  expect(sniff(Buffer.from(bytes, 'latin1')).format).toBe(format as 'jpeg')
})

test.each([
  ['a GIF picture', 'GIF89a'],
  ['a TIFF or raw picture', 'II*\0'],
  ['a BMP picture', 'BM'],
  ['an HEIC picture', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
  ['an AVIF picture', '\0\0\0\x18ftypavif\0\0\0\0'],
  ['an AVIF picture', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf'],
  ['a raw picture', '\0\0\0\x18ftypcrx \0\0\0\0'],
  ['an HLS playlist', '#EXTM3U\n#EXTINF:1,\nhttps://10.0.0.1/'],
  ['a concat list', 'ffconcat version 1.0\n'],
  ['an SDP description', 'v=0\r\no=- 0 0'],
  ['a Matroska video (MKV)', '\x1a\x45\xdf\xa3\x01'],
  ['an MPEG-TS video', 'G@\x11\x10'],
  ['an HEIC picture', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['an M4A sound', '\0\0\0\x18ftypM4A \0\0\0\0mp42isom'],
  ['iso media jp2', '\0\0\0\x14ftypjp2 \0\0\0\0jp2 isom'],
  ['a DASH manifest', '<?xml version="1.0"?><MPD/>'],
  ['an AVI video', 'RIFF\0\0\0\0AVI LIST'],
  ['an AAC sound', '\xff\xf1\x50\x80'],
  ['a file of unknown type', '\xff\xfb\xf0\x64'],
  ['a text, not the file', 'hello'],
])('%s is an unsupported format', (name, bytes) => {
  expect(sniff(Buffer.from(bytes, 'latin1'))).toMatchObject({ format: undefined, name })
})

const fields = { picture: ['jpeg', 'png', 'webp'], video: ['mp4', 'mov'], sound: ['mp3', 'wav'] }
const [asPicture, asVideo, asSound] = [
  'save it as JPEG and send that',
  'export it as MP4 and send that',
  'save it as MP3 or WAV and send that',
]
const clip = ['-f', 'lavfi', '-t', '1', '-i', 'testsrc2=size=320x240:rate=10']
const still = [...clip, '-frames:v', '1']
const tone = ['-f', 'lavfi', '-t', '1', '-i', 'sine']

test.each<[file: string, name: string, advice: { [field in keyof typeof fields]?: string }, options: string[]]>([
  ['a.ogg', 'an Ogg sound', { sound: asSound }, tone],
  ['a.opus', 'an Ogg sound', { sound: asSound }, tone],
  ['a.flac', 'a FLAC sound', { sound: asSound }, tone],
  ['a.m4a', 'an M4A sound', { sound: asSound }, tone],
  ['a.aac', 'an AAC sound', { sound: asSound }, tone],
  ['a.aiff', 'an AIFF sound', { sound: asSound }, tone],
  ['a.caf', 'a CAF sound', { sound: asSound }, tone],
  ['a.mp2', 'an MP2 sound', { sound: asSound }, tone],
  ['a.ac3', 'an AC-3 sound', { sound: asSound }, tone],
  ['a.wma', 'a Windows Media file', { sound: asSound, video: asVideo }, tone],
  ['a.mka', 'a Matroska video (MKV)', { sound: asSound, video: asVideo }, tone],
  ['a.webm', 'a WebM video', { sound: asSound, video: asVideo }, [...clip, '-c:v', 'libvpx', '-deadline', 'realtime']],
  ['a.mkv', 'a Matroska video (MKV)', { sound: asSound, video: asVideo }, clip],
  ['a.ogv', 'an Ogg video', { video: asVideo }, clip],
  ['a.avi', 'an AVI video', { video: asVideo }, clip],
  ['a.flv', 'an FLV video', { video: asVideo }, clip],
  ['a.ts', 'an MPEG-TS video', { video: asVideo }, clip],
  ['a.mpg', 'an MPEG video', { video: asVideo }, [...clip, '-r', '25']],
  ['a.h264', 'a raw H.264 or HEVC video', { video: asVideo }, clip],
  ['a.gif', 'a GIF picture', { picture: asPicture, video: asVideo }, clip],
  ['a.tiff', 'a TIFF or raw picture', { picture: asPicture }, still],
  ['a.bmp', 'a BMP picture', { picture: asPicture }, still],
  ['a.jp2', 'a JPEG 2000 picture', { picture: asPicture }, still],
  ['a.tga', 'a file of unknown type', { picture: asPicture, video: asVideo, sound: asSound }, still],
])('ffmpeg’s %s is refused as %s, with what helps in the field where something does', async (file, name, advice, options) => {
  const head = await headOf(file, options)
  for (const [field, allowed] of Object.entries(fields)) {
    const help = advice[field as keyof typeof fields]
    expect([field, measuredOf(head, allowed)]).toEqual([field, help ? `${name}: ${help}` : name])
  }
})

test('a type that another field takes is refused with what helps, or by its name', async () => {
  const head = await headOf('sound.mp4', tone)
  expect(measuredOf(head, fields.sound)).toBe(`mp4: ${asSound}`)
  expect(measuredOf(head, fields.picture)).toBe('mp4')
})

async function headOf(name: string, options: string[]): Promise<Buffer> {
  const path = join(folder, name)
  const child = Bun.spawn(['ffmpeg', '-v', 'error', '-y', ...options, path], { stdin: 'ignore', stderr: 'inherit' })
  expect(await child.exited).toBe(0)
  return readFile(path)
}

function measuredOf(head: Buffer, allowed: string[]): unknown {
  try {
    return checkFormat(sniff(head), allowed)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect([error.reason, error.options.details]).toMatchObject(['media_type_unsupported', { limit: allowed.join(', ') }])
    return (error.options.details as { measured: string }).measured
  }
}
