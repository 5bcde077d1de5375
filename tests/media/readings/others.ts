import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes } from '../corpus/build/boxes'
import { ffmpeg, readMade } from '../corpus/build/cached'
import { segment, withPictures, withSegments } from '../corpus/build/jpeg'
import { id3, words } from '../corpus/build/mp3'
import { chunk, makePng } from '../corpus/build/png'
import { makeWav } from '../corpus/build/wav'
import { piece, riff } from '../corpus/build/webp'
import { jpegBase, smallMovie } from '../corpus/families/pictures-of-phones'
import { type Extension, type Known, picture, type Recipe, sound } from '../corpus/recipe'
import { strangers } from './movies'

const frameSeconds = 1_152 / 44_100
const row = (family: string, extension: Extension, name: string, known: Known, make: () => Promise<Buffer> | Buffer): Recipe => ({
  family,
  name: `${extension}: ${name}`,
  kind: known.sound ? MediaKind.AUDIO : MediaKind.IMAGE,
  extension,
  known,
  make: async () => make(),
})
const mp3 = (seconds = 3, options: string[] = []) =>
  readMade(
    ffmpeg('mp3', [
      '-f',
      'lavfi',
      '-t',
      String(seconds),
      '-i',
      'sine',
      '-c:a',
      'libmp3lame',
      ...options,
      '-id3v2_version',
      '0',
      '-fflags',
      '+bitexact',
    ]),
  )
const webp = () => readMade(ffmpeg('webp', ['-f', 'lavfi', '-i', 'testsrc2=size=384x288', '-frames:v', '1', '-c:v', 'libwebp']))
const png = () => makePng({ width: 384, height: 288, colour: 2, depth: 8 })

/** Words of a Xing header: where they stand behind its four letters. */
const patch = async (change: (file: Buffer, xing: number) => void) => {
  const file = Buffer.from(await mp3())
  change(file, Math.max(file.indexOf('Xing'), file.indexOf('Info')))
  return file
}

function lyingMp3s(): Recipe[] {
  const lies: Record<string, (file: Buffer, xing: number) => void> = {
    'a header of 10 frames': (file, xing) => void file.writeUInt32BE(10, xing + 8),
    'a header of 50 frames': (file, xing) => void file.writeUInt32BE(50, xing + 8),
    'a header of 100,000 frames': (file, xing) => void file.writeUInt32BE(100_000, xing + 8),
    'a header of 100 bytes': (file, xing) => void file.writeUInt32BE(100, xing + 12),
    'a header of no frames': (file, xing) => void file.writeUInt32BE(0, xing + 8),
    'a delay and padding of 4,095': (file, xing) => void file.write('ffffff', xing + 8 + 4 + 4 + 100 + 4 + 9 + 12, 'hex'),
    'no delay at all': (file, xing) => void file.write('000000', xing + 8 + 4 + 4 + 100 + 4 + 9 + 12, 'hex'),
    'VBRI of 100,000 frames': (file, xing) => {
      file.fill(0, xing, xing + 120)
      file.write('VBRI', file.indexOf(Buffer.from([0xff, 0xfb])) + 36)
      file.writeUInt32BE(100_000, file.indexOf(Buffer.from([0xff, 0xfb])) + 50)
    },
  }
  return [
    ...Object.entries(lies).map(([name, change]) => row('lying headers', 'mp3', name, sound(3, frameSeconds), () => patch(change))),
    row('lying headers', 'mp3', 'TLEN of a second', sound(3, frameSeconds), async () =>
      bytes(id3({ frames: [words('TLEN', '1000')] }), await mp3()),
    ),
    row('lying headers', 'mp3', 'TLEN of an hour', sound(3, frameSeconds), async () =>
      bytes(id3({ frames: [words('TLEN', '3600000')] }), await mp3()),
    ),
    ...[2, 4, 20].map(times =>
      row('appended sounds', 'mp3', `${times} times over`, sound(3 * times, frameSeconds), async () =>
        bytes(...Array(times).fill(await mp3())),
      ),
    ),
    row('appended sounds', 'mp3', 'another behind a tag', sound(6, frameSeconds), async () => bytes(await mp3(), id3(), await mp3())),
    row('appended sounds', 'mp3', 'another rate behind', sound(6, frameSeconds), async () =>
      bytes(await mp3(), await mp3(3, ['-ar', '48000'])),
    ),
    row('appended sounds', 'mp3', 'stereo behind mono', sound(6, frameSeconds), async () => bytes(await mp3(), await mp3(3, ['-ac', '2']))),
    row('appended sounds', 'mp3', 'another layer’s rate behind', sound(6, frameSeconds), async () =>
      bytes(await mp3(), await mp3(3, ['-ar', '22050'])),
    ),
    ...[100, 5_000, 60_000].map(size =>
      row('appended sounds', 'mp3', `${size} bytes of nothing between`, sound(6, frameSeconds), async () =>
        bytes(await mp3(), Buffer.alloc(size), (await mp3()).subarray(417)),
      ),
    ),
  ]
}

function lyingWavs(): Recipe[] {
  const patched = (change: (file: Buffer, data: number, format: number) => void, more: Parameters<typeof makeWav>[0] = {}) => {
    const file = makeWav({ seconds: 3, rate: 44_100, ...more })
    change(file, file.indexOf('data'), file.indexOf('fmt '))
    return file
  }
  const known = sound(3, frameSeconds)
  const lies: Record<string, (file: Buffer, data: number, format: number) => void> = {
    'data of half its size': (file, data) => void file.writeUInt32LE(file.readUInt32LE(data + 4) / 2, data + 4),
    'data of twice its size': (file, data) => void file.writeUInt32LE(file.readUInt32LE(data + 4) * 2, data + 4),
    'data of 2 GiB': (file, data) => void file.writeUInt32LE(0x7fffffff, data + 4),
    'a RIFF of half its size': file => void file.writeUInt32LE(file.length / 2, 4),
    'a RIFF of 40 bytes': file => void file.writeUInt32LE(40, 4),
    'a byte rate of a tenth': (file, _, format) => void file.writeUInt32LE(8_820, format + 16),
    'a byte rate of ten times': (file, _, format) => void file.writeUInt32LE(882_000, format + 16),
    'a frame of 3 bytes': (file, _, format) => void file.writeUInt16LE(3, format + 20),
    'a frame of no bytes': (file, _, format) => void file.writeUInt16LE(0, format + 20),
    'twice the rate': (file, _, format) => void file.writeUInt32LE(88_200, format + 12),
    'A-law by its code': (file, _, format) => void file.writeUInt16LE(6, format + 8),
    'MP3 by its code': (file, _, format) => void file.writeUInt16LE(0x55, format + 8),
    '12 bits': (file, _, format) => void file.writeUInt16LE(12, format + 22),
  }
  const extensible: Record<string, (file: Buffer, data: number, format: number) => void> = {
    'MP3 behind extensible': (file, _, format) => void file.writeUInt16LE(0x55, format + 32),
    'A-law behind extensible': (file, _, format) => void file.writeUInt16LE(6, format + 32),
    'ADPCM behind extensible': (file, _, format) => void file.writeUInt16LE(2, format + 32),
    '8 valid bits behind extensible': (file, _, format) => void file.writeUInt16LE(8, format + 26),
    'an unknown format behind extensible': (file, _, format) => void file.fill(0x5a, format + 32, format + 48),
  }
  const half = makeWav({ seconds: 3, rate: 44_100 })
  return [
    ...Object.entries(lies).map(([name, change]) => row('lying headers', 'wav', name, known, () => patched(change))),
    ...Object.entries(extensible).map(([name, change]) =>
      row('lying headers', 'wav', name, known, () => patched(change, { form: 'extensible' })),
    ),
    row('appended sounds', 'wav', 'another WAV behind', known, () => bytes(half, half)),
    row('appended sounds', 'wav', 'a second data chunk', known, () =>
      makeWav({ seconds: 3, after: [piece('data', Buffer.alloc(400_000))] }),
    ),
    row('appended sounds', 'wav', 'a first data chunk of little', known, () =>
      makeWav({ seconds: 3, before: [piece('data', Buffer.alloc(1_000))] }),
    ),
    row('appended sounds', 'wav', 'a fact of a minute', known, () =>
      makeWav({ seconds: 3, before: [piece('fact', Buffer.from([0, 0x40, 0x29, 0]))] }),
    ),
    row('appended sounds', 'wav', 'samples in a wavl list', known, () =>
      makeWav({ seconds: 3, after: [piece('LIST', bytes('wavl', piece('data', Buffer.alloc(200_000))))] }),
    ),
  ]
}

function otherPictures(): Recipe[] {
  const known = picture(384, 288)
  const others: [Extension, string, () => Promise<Buffer> | Buffer][] = [
    ['jpeg', 'the same again', async () => bytes(await jpegBase(), await jpegBase())],
    ['jpeg', 'a larger picture behind', async () => withPictures(await jpegBase(), [], [await jpegBase(640, 480)])],
    ['jpeg', 'a PNG behind', async () => bytes(await jpegBase(), png())],
    ['jpeg', 'a movie behind', async () => bytes(await jpegBase(), await smallMovie())],
    [
      'jpeg',
      'a picture in a segment',
      async () => withSegments(await jpegBase(), [segment(0xef, (await jpegBase(160, 120)).subarray(0, 60_000))]),
    ],
    ['png', 'the same again', () => bytes(png(), png())],
    ['png', 'a JPEG behind', async () => bytes(png(), await jpegBase())],
    [
      'png',
      'frames of an APNG without its control',
      () => makePng({ width: 384, height: 288, colour: 2, depth: 8, before: [chunk('fcTL', Buffer.alloc(26))] }),
    ],
    [
      'png',
      'an APNG of one frame',
      () => makePng({ width: 384, height: 288, colour: 2, depth: 8, before: [chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))] }),
    ],
    ['webp', 'the same again', async () => bytes(await webp(), await webp())],
    ['webp', 'two pictures in one', async () => riff('WEBP', (await webp()).subarray(12), (await webp()).subarray(12))],
    ['webp', 'a movie behind', async () => bytes(await webp(), Buffer.from([0, 0, 0, 16]), 'ftypisom\0\0\0\0')],
  ]
  const hosts: [Extension, () => Promise<Buffer> | Buffer][] = [
    ['jpeg', () => jpegBase()],
    ['png', png],
    ['webp', webp],
    ['mp3', () => mp3()],
    ['wav', () => makeWav({ seconds: 3 })],
  ]
  return [
    ...others.map(([extension, name, make]) => row('two pictures', extension, name, known, make)),
    ...hosts.flatMap(([extension, make]) =>
      Object.entries(strangers).map(([name, stranger]) =>
        row('polyglots', extension, `${name} behind`, ['mp3', 'wav'].includes(extension) ? sound(3, frameSeconds) : known, async () =>
          bytes(await make(), stranger),
        ),
      ),
    ),
  ]
}

export const otherReadings = () => [...lyingMp3s(), ...lyingWavs(), ...otherPictures()]
