import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes } from '../corpus/build/boxes'
import { ffmpeg, readMade } from '../corpus/build/cached'
import { ape, id3, id3v1, lyrics3, words as tag, tagFrame } from '../corpus/build/mp3'
import { info, makeWav } from '../corpus/build/wav'
import { piece } from '../corpus/build/webp'
import { sound } from '../corpus/recipe'
import { marker } from './markers'
import type { Planted } from './planted'

const mp3 = () =>
  readMade(ffmpeg('mp3', ['-f', 'lavfi', '-t', '2.3', '-i', 'sine', '-c:a', 'libmp3lame', '-id3v2_version', '0', '-fflags', '+bitexact']))

const inMp3: Record<string, (file: Buffer, words: string) => Buffer> = {
  'ID3v2 words': (file, words) =>
    bytes(
      id3({
        frames: [
          tag('TIT2', words),
          tag('TPE1', words),
          tag('TSRC', words),
          tagFrame('COMM', [0], `eng\0${words}`),
          tagFrame('UFID', `a\0${words}`),
        ],
      }),
      file,
    ),
  'ID3v2 in UTF-16': (file, words) => bytes(id3({ frames: [tagFrame('TIT2', [1, 0xff, 0xfe], Buffer.from(words, 'utf16le'))] }), file),
  'a picture': (file, words) => bytes(id3({ frames: [tagFrame('APIC', [0], `image/jpeg\0\x03\0${words}`)] }), file),
  'position in a private frame': (file, words) =>
    bytes(id3({ frames: [tagFrame('PRIV', `geo\0${words}`), tagFrame('GEOB', [0], `a\0b\0${words}`)] }), file),
  'ID3v2 padding': (file, words) => bytes(id3({ frames: [tag('TIT2', 'a'), Buffer.alloc(100), Buffer.from(words)] }), file),
  ID3v1: (file, words) => bytes(file, id3v1(words)),
  APE: (file, words) => bytes(file, ape({ Title: words, Serial: words })),
  Lyrics3: (file, words) => bytes(file, lyrics3(words), id3v1('a')),
  'behind its end': (file, words) => bytes(file, words),
  'before its start': (file, words) => bytes(id3(), words, file),
  'the encoder’s name': (file, words) => {
    const copy = Buffer.from(file)
    const header = Math.max(copy.indexOf('Xing'), copy.indexOf('Info'))
    copy.write(words.slice(0, 9), header + 120, 'latin1')
    return copy
  },
}

const inWav: Record<string, (words: string) => Parameters<typeof makeWav>[0]> = {
  bext: words => ({ before: [piece('bext', bytes(words, Buffer.alloc(602 - words.length)))] }),
  iXML: words => ({ before: [piece('iXML', Buffer.from(`<A>${words}</A>`))] }),
  'LIST before the sound': words => ({ before: [info({ IART: words, ICRD: '2019-08-07' })] }),
  'LIST behind the sound': words => ({ after: [info({ ICMT: words })] }),
  'an ID3 chunk': words => ({ after: [piece('id3 ', id3({ frames: [tag('TIT2', words)] }))] }),
  XMP: words => ({ after: [piece('_PMX', Buffer.from(words))] }),
  'a padding chunk': words => ({ before: [piece('JUNK', Buffer.from(words))] }),
  'fact with more in it': words => ({ before: [piece('fact', bytes(Buffer.alloc(4), words))] }),
  'behind its end': words => ({ behind: Buffer.from(words) }),
  'a cart chunk': words => ({ after: [piece('cart', bytes(words, Buffer.alloc(2_048)))] }),
}

export function plantedSounds(): Planted[] {
  // Of an encoder that nobody knows, nobody believes how much it put before and behind the sound.
  const row = (extension: 'mp3' | 'wav', name: string, words: string, make: () => Promise<Buffer>): Planted => ({
    words: [extension === 'mp3' && name.startsWith('the encoder') ? words.slice(0, 9) : words],
    recipe: {
      family: `metadata of ${extension}`,
      name,
      kind: MediaKind.AUDIO,
      extension,
      known: sound(name.startsWith('the encoder') ? 2.351 : 2.3, 1_152 / 44_100),
      make,
    },
  })
  return [
    ...Object.entries(inMp3).map(([name, plant]) =>
      row('mp3', name, marker(`mp3 ${name}`), async () => plant(await mp3(), marker(`mp3 ${name}`))),
    ),
    ...Object.entries(inWav).map(([name, plant]) =>
      row('wav', name, marker(`wav ${name}`), async () => makeWav({ seconds: 2.3, ...plant(marker(`wav ${name}`)) })),
    ),
  ]
}
