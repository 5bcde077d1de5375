import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { bytes } from '../build/boxes'
import { ffmpeg, readMade } from '../build/cached'
import { ape, coverArt, id3, id3v1, id3v22, lyrics3, tagFrame, words } from '../build/mp3'
import { broadcast, info, ixml, makeWav, type Wav } from '../build/wav'
import { piece } from '../build/webp'
import { type Known, type Recipe, sound } from '../recipe'
import { jpegBase } from './pictures-of-phones'

/** A length that sample rates divide differently: lead-ins and rounding show. */
const usualSeconds = 2.3
const wavFrameSeconds = 1_152 / 44_100

const wav = (family: string, name: string, form: Wav, short = false): Recipe => ({
  family,
  name,
  kind: MediaKind.AUDIO,
  extension: 'wav',
  short,
  known: sound(form.seconds ?? usualSeconds, wavFrameSeconds),
  make: async () => makeWav({ seconds: usualSeconds, ...form }),
})

function daws(): Recipe[] {
  const odd = piece('note', Buffer.from('odd'))
  const forms: [string, Wav][] = [
    ['a field recorder', { bits: 24, before: [broadcast(), ixml()] }],
    [
      'Pro Tools',
      {
        bits: 24,
        before: [broadcast(), piece('minf', Buffer.alloc(16)), piece('elm1', Buffer.alloc(214))],
        after: [piece('regn', Buffer.alloc(92)), piece('umid', Buffer.alloc(24))],
      },
    ],
    ['Logic', { bits: 24, after: [piece('ResU', Buffer.alloc(120)), info({ ISFT: 'Logic Pro' })] }],
    [
      'Ableton',
      { bits: 24, before: [piece('JUNK', Buffer.alloc(28))], after: [piece('acid', Buffer.alloc(24)), piece('smpl', Buffer.alloc(60))] },
    ],
    [
      'Reaper',
      {
        bits: 24,
        before: [piece('JUNK', Buffer.alloc(92)), broadcast()],
        after: [info({ ISFT: 'REAPER' }), piece('cue ', Buffer.alloc(28))],
      },
    ],
    [
      'Audition',
      {
        bits: 32,
        float: true,
        after: [piece('_PMX', Buffer.from('<?xpacket begin=""?><x:xmpmeta/>')), broadcast(), piece('cart', Buffer.alloc(2_048))],
      },
    ],
    ['Audacity', { bits: 32, float: true, after: [info({ INAM: 'Title', IART: 'Artist', ICMT: 'odd' }), piece('id3 ', id3())] }],
    ['Sound Forge', { bits: 16, after: [piece('DISP', Buffer.from('\x01\0\0\0Title\0')), piece('tlst', Buffer.alloc(8))] }],
    [
      'FL Studio',
      { bits: 32, float: true, form: 'extended', before: [piece('fact', Buffer.alloc(4, 1))], after: [piece('FLSt', Buffer.alloc(37))] },
    ],
    ['ffmpeg', { before: [info({ ISFT: 'Lavf59.27.100' })] }],
    ['a voice recorder', { rate: 16_000, before: [piece('PAD ', Buffer.alloc(4_000))] }],
    ['a telephone', { rate: 8_000 }],
    ['an odd chunk before', { before: [odd] }],
    ['an odd chunk behind', { after: [odd] }],
    ['an odd number of bytes', { bits: 8, seconds: 2.0000625, rate: 16_000 }],
    ['PEAK and fact', { bits: 32, float: true, before: [piece('fact', Buffer.alloc(4)), piece('PEAK', Buffer.alloc(16))] }],
    ['zeros behind', { behind: Buffer.alloc(100) }],
    ['a newline behind', { behind: Buffer.from('\n') }],
    ['ID3v1 behind', { behind: id3v1('Title') }],
    ['ID3v2 behind', { behind: id3() }],
  ]
  return [
    ...forms.map(([name, form]) => wav('DAWs and recorders', name, form, ['a field recorder', 'zeros behind'].includes(name))),
    ...[0, 0xffffffff, 0x7fffffff, 0xfffffff0].flatMap(streamed =>
      [8, 16, 24].map(bits =>
        wav(
          'streamed WAV',
          `${bits} bit, lengths of ${streamed.toString(16)}`,
          { streamed, bits: bits as 8 | 16 | 24 },
          streamed === 0xffffffff && bits === 16,
        ),
      ),
    ),
    ...([8, 16, 24, 32] as const).flatMap(bits =>
      (['plain', 'extended', 'extensible'] as const).flatMap(form =>
        [1, 2].map(channels =>
          wav(
            'WAV forms',
            `${bits} bit, ${form}, ${channels} channels`,
            { bits, form, channels, rate: channels === 1 ? 48_000 : 44_100 },
            bits === 24 && form === 'extensible' && channels === 2,
          ),
        ),
      ),
    ),
    ...[8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 88_200, 96_000].map(rate =>
      wav('WAV rates', `${rate} Hz`, { rate }),
    ),
    ...[true, false].map(extensible =>
      wav('WAV channels', `5.1${extensible ? ' extensible' : ''}`, { channels: 6, form: extensible ? 'extensible' : 'plain' }),
    ),
  ]
}

type Mp3 = { rate?: number; channels?: number; options?: string[]; seconds?: number; xing?: boolean; source?: string }
const encoded = ({ rate = 44_100, channels = 1, options = ['-b:a', '96k'], seconds = usualSeconds, xing = true, source = 'sine' }: Mp3) =>
  readMade(
    ffmpeg('mp3', [
      '-f',
      'lavfi',
      '-t',
      String(seconds),
      '-i',
      source === 'noise' ? `anoisesrc=sample_rate=${rate}:amplitude=0.3` : `sine=frequency=440:sample_rate=${rate}`,
      '-ac',
      String(channels),
      '-c:a',
      'libmp3lame',
      ...options,
      '-id3v2_version',
      '0',
      '-write_id3v1',
      '0',
      '-write_xing',
      xing ? '1' : '0',
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
    ]),
  )
/** Frames hold 1,152 samples at 32 kHz and above, 576 below. */
const mp3FrameSeconds = (rate: number) => (rate >= 32_000 ? 1_152 : 576) / rate

function mp3(
  family: string,
  name: string,
  form: Mp3,
  change: (file: Buffer, cover: Buffer) => Buffer = file => file,
  short = false,
  more: Partial<Known> = {},
): Recipe {
  const { rate = 44_100, seconds = usualSeconds, xing = true } = form
  const frame = mp3FrameSeconds(rate)
  // Without LAME's header nobody can know what the encoder put before and behind.
  const length = xing ? seconds : Math.ceil((seconds + 1_105 / rate) / frame) * frame
  return {
    family,
    name,
    kind: MediaKind.AUDIO,
    extension: 'mp3',
    short,
    known: sound(length, frame, more),
    make: async () => change(await encoded(form), await jpegBase(160, 120)),
  }
}

function mp3s(): Recipe[] {
  const tags: [string, (file: Buffer, cover: Buffer) => Buffer][] = [
    ['ID3v2.3', file => bytes(id3(), file)],
    ['ID3v2.4 with a footer', file => bytes(id3({ version: 4, footer: true }), file)],
    ['ID3v2.2', file => bytes(id3v22(), file)],
    ['ID3v2 doubled', file => bytes(id3(), id3({ version: 4 }), file)],
    ['ID3v2 thrice', file => bytes(id3(), id3(), id3v22(), file)],
    ['64 KiB of padding', file => bytes(id3({ padding: 65_536 }), file)],
    ['6 MB of cover art', (file, cover) => bytes(id3({ frames: [words('TIT2', 'T'), coverArt(cover, 6_000_000)] }), file)],
    ['900 KB of cover art', (file, cover) => bytes(id3({ frames: [coverArt(cover, 900_000)] }), file)],
    ['two covers', (file, cover) => bytes(id3({ frames: [coverArt(cover, 300_000), coverArt(cover, 200_000)] }), file)],
    [
      'chapters of a podcast',
      file => bytes(id3({ frames: [tagFrame('CHAP', 'ch0\0', Buffer.alloc(16)), tagFrame('CTOC', 'toc\0', [3, 1], 'ch0\0')] }), file),
    ],
    [
      'private frames',
      file =>
        bytes(
          id3({ frames: [tagFrame('PRIV', 'XMP\0', Buffer.alloc(3_000, 60)), tagFrame('GEOB', [0], 'a/b\0', Buffer.alloc(500))] }),
          file,
        ),
    ],
    ['ID3v1', file => bytes(file, id3v1('Title'))],
    ['APE at the end', file => bytes(file, ape({ Title: 'Title', replaygain_track_gain: '-6.2 dB' }))],
    ['APE without a head', file => bytes(file, ape({ Title: 'Title' }, false))],
    ['APE at the start', file => bytes(ape({ Title: 'Title' }), file)],
    ['APE and ID3v1', file => bytes(file, ape({ Title: 'Title' }), id3v1('Title'))],
    ['Lyrics3 and ID3v1', file => bytes(file, lyrics3('La la la'), id3v1('Title'))],
    ['Lyrics3, APE and ID3v1', file => bytes(file, ape({ Title: 'T' }), lyrics3('La la'), id3v1('Title'))],
    ['ID3v2 behind', file => bytes(file, id3())],
    ['ID3v2.4 with a footer behind', file => bytes(file, id3({ version: 4, footer: true }))],
    [
      'everything',
      (file, cover) =>
        bytes(id3({ frames: [coverArt(cover, 1_500_000)], padding: 4_096 }), id3(), file, ape({ A: 'b' }), lyrics3('La'), id3v1('T')),
    ],
    ['ID3v1 doubled', file => bytes(file, id3v1('One'), id3v1('Two'))],
    ['a newline behind', file => bytes(file, '\n')],
    ['512 zeros behind', file => bytes(file, Buffer.alloc(512))],
    ['4,096 zeros behind', file => bytes(file, Buffer.alloc(4_096))],
    ['zeros before', file => bytes(id3(), Buffer.alloc(1_000), file)],
    ['words behind', file => bytes(file, 'downloaded from somewhere')],
    ['a cut last frame', file => file.subarray(0, file.length - 40)],
  ]
  const ways: Record<string, string[]> = {
    'CBR 64': ['-b:a', '64k'],
    'CBR 128': ['-b:a', '128k'],
    'CBR 320': ['-b:a', '320k'],
    'VBR 0': ['-q:a', '0'],
    'VBR 5': ['-q:a', '5'],
    'VBR 9': ['-q:a', '9'],
    'ABR 96': ['-abr', '1', '-b:a', '96k'],
    'no reservoir': ['-b:a', '128k', '-reservoir', '0'],
    'no joint stereo': ['-b:a', '128k', '-joint_stereo', '0'],
  }
  return [
    ...tags.map(([name, change]) =>
      mp3('MP3 tags', name, {}, change, ['6 MB of cover art', 'everything', 'Lyrics3, APE and ID3v1'].includes(name)),
    ),
    ...Object.entries(ways).flatMap(([name, options]) =>
      [1, 2].map(channels =>
        mp3(
          'MP3 encoders',
          `${name}, ${channels} channels`,
          { options, channels, source: 'noise' },
          undefined,
          name === 'VBR 5' && channels === 2,
        ),
      ),
    ),
    ...[8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].flatMap(rate =>
      [1, 2].map(channels =>
        mp3(
          'MP3 rates',
          `${rate} Hz, ${channels} channels`,
          { rate, channels, options: ['-b:a', rate < 16_000 ? '32k' : '64k'] },
          undefined,
          rate === 12_000 && channels === 1,
        ),
      ),
    ),
    ...[44_100, 24_000, 8_000].map(rate =>
      mp3(
        'MP3 without a header',
        `${rate} Hz`,
        { rate, xing: false, options: ['-b:a', rate < 16_000 ? '32k' : '64k'] },
        undefined,
        rate === 44_100,
      ),
    ),
    ...[2, 5, 2.99, 3].map(seconds => mp3('MP3 lengths', `${seconds} s`, { seconds })),
  ]
}

export const sounds = () => [...daws(), ...mp3s()]
