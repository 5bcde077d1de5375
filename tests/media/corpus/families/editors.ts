import { type Box, box, bytes, container, rawBox, u32 } from '../build/boxes'
import { type Clip, movie } from '../build/clip'
import { setEdits, trim } from '../build/edits'
import { addDataTrack, captions, opaque, rotate, setBrands, setUserData, timecode, words } from '../build/tracks'
import type { Recipe } from '../recipe'

function trims(): Recipe[] {
  const spans: [number, number][] = [
    [0.5, 2.5],
    [0, 2.5],
    [0.5, 3],
    [0.7, 3],
    [0.62, 2.8],
    [0.95, 3],
  ]
  return [
    ...spans.flatMap(([from, to]) =>
      [0, 2].flatMap(bFrames =>
        (['mov', 'mp4'] as const).map(form => {
          const seconds = to - from
          const scale = form === 'mov' ? 600 : 90_000
          return movie(
            'QuickTime trims',
            `${from}–${to} s of 3 s, ${bFrames} B-frames, ${form}`,
            { container: form, seconds: 3, bFrames, scale, change: trim(from, to) },
            { seconds, frames: Math.round(seconds * 30), encodedAgain: bFrames > 0 || from % 0.5 > 0 },
            from === 0.5 && to === 2.5 && bFrames === 2 && form === 'mov',
          )
        }),
      ),
    ),
    ...[2, 3].map(seconds =>
      movie('edit lists', `one edit of all ${seconds} s`, {
        container: 'mov',
        seconds,
        change: boxes => setEdits(boxes, [{ seconds, from: 0 }]),
      }),
    ),
    ...[0.1, 0.4].map(gap =>
      movie('edit lists', `an empty edit of ${gap} s before the sound`, {
        container: 'mov',
        change: boxes => setEdits(boxes, [{ seconds: gap }, { seconds: 2, from: 0 }], 'soun'),
      }),
    ),
    ...[1, 2].map(bFrames =>
      movie(
        'edit lists',
        `two edits that follow each other, ${bFrames} B-frames`,
        {
          container: 'mov',
          seconds: 2,
          bFrames,
          scale: 600,
          change: boxes =>
            setEdits(boxes, [
              { seconds: 1, from: 0 },
              { seconds: 1, from: 1 },
            ]),
        },
        { encodedAgain: true },
      ),
    ),
    ...[0, 2].map(bFrames =>
      movie('edit lists', `no edit list, ${bFrames} B-frames`, { container: 'mp4', bFrames, mux: ['-use_editlist', '0'] }),
    ),
    ...[0, 2].map(bFrames =>
      movie(
        'edit lists',
        `negative composition offsets, ${bFrames} B-frames`,
        { container: 'mp4', bFrames, mux: ['-movflags', 'negative_cts_offsets'] },
        {},
        bFrames === 2,
      ),
    ),
  ]
}

const chapterFile = `data:text/plain;base64,${Buffer.from(';FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n').toString('base64')}`
const chapters = { inputs: ['-f', 'ffmetadata', '-i', chapterFile], maps: ['-map', '0', '-map_chapters', '1'] }
const cover = {
  inputs: ['-f', 'lavfi', '-i', 'color=red:size=96x96:duration=0.04'],
  maps: ['-map', '0', '-map', '1:v'],
  mux: ['-c:v:1', 'mjpeg', '-pix_fmt:v:1', 'yuvj420p', '-frames:v:1', '1', '-disposition:v:1', 'attached_pic'],
}

function editors(): Recipe[] {
  const isom = (major: string, compatible: string[]) => (boxes: Box[]) => setBrands(boxes, major, compatible)
  const xmp = rawBox('XMP_', '<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  const forms: [string, Partial<Clip>][] = [
    [
      'Premiere',
      {
        change: boxes => {
          isom('mp42', ['mp42', 'mp41'])(boxes)
          setUserData(boxes, { XMP_: xmp })
          boxes.splice(1, 0, box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), Buffer.alloc(5_000, 32)))
        },
        bFrames: 2,
        rate: '30000/1001',
      },
    ],
    [
      'Premiere MOV',
      {
        container: 'mov',
        change: boxes => {
          addDataTrack(boxes, timecode(30, 2_000))
          setUserData(boxes, { '\xa9TIM': words('00:00:00:00'), '\xa9TSC': words('30'), XMP_: xmp })
        },
        sound: 'pcm16',
      },
    ],
    ['Final Cut', { container: 'mov', scale: 2_400, change: boxes => addDataTrack(boxes, timecode(24, 2_000)), rate: '24', bFrames: 1 }],
    ['iMovie', { container: 'mp4', scale: 30_000, change: isom('mp42', ['isom', 'mp42']), bFrames: 2, rate: '30' }],
    ['Resolve', { container: 'mov', rate: '24000/1001', change: boxes => addDataTrack(boxes, timecode(24, 2_000)), sound: 'pcm24' }],
    ['HandBrake', { change: isom('mp42', ['iso2', 'avc1', 'mp41']), ...chapters, mux: ['-movflags', '+faststart'], bFrames: 2 }],
    ['CapCut', { rate: '30', mux: ['-movflags', '+faststart', '-metadata', 'comment=vid:v0f044gc'], bFrames: 2 }],
    [
      'GPAC',
      {
        change: boxes => {
          isom('isom', ['isom', 'iso2', 'avc1', 'mp41'])(boxes)
          boxes.find(({ type }) => type === 'moov')?.children?.splice(1, 0, box('iods', u32(0), Buffer.from('1007004fffffff', 'hex')))
        },
        bFrames: 2,
      },
    ],
    ['Vegas', { change: isom('MSNV', ['MSNV', 'mp42', 'isom']), rate: '60000/1001' }],
    ['Shotcut', { mux: ['-movflags', '+faststart', '-metadata:s:v', 'handler_name=ShotcutVideo'], rate: '25', bFrames: 2 }],
    ['Motion', { container: 'mov', codec: 'prores4444', sound: 'none' }],
    ['hint tracks', { mux: ['-movflags', 'rtphint'] }],
    [
      'tags',
      { mux: ['-metadata', 'title=Title', '-metadata', 'artist=Artist', '-metadata', 'copyright=Someone', '-metadata', 'comment=Comment'] },
    ],
    ['a sound of ALAC', { container: 'mov', sound: 'alac' }],
  ]
  return [
    ...forms.flatMap(([name, form]) =>
      [2, 3].map(seconds =>
        movie('editors', `${name}, ${seconds} s`, { container: 'mp4', seconds, ...form }, {}, name === 'Premiere' && seconds === 2),
      ),
    ),
    ...(['mp4', 'mov'] as const).flatMap(form =>
      [0, 2].map(bFrames =>
        movie('chapters', `${form}, ${bFrames} B-frames`, { container: form, bFrames, ...chapters }, {}, form === 'mp4' && bFrames === 2),
      ),
    ),
    ...(['h264', 'hevc'] as const).flatMap(codec =>
      [2, 3].map(seconds =>
        movie('cover art', `${codec}, ${seconds} s`, { container: 'mp4', codec, seconds, ...cover }, {}, codec === 'h264' && seconds === 2),
      ),
    ),
    ...['sbtl', 'subt', 'text', 'clcp', 'hint', 'meta', 'url ', 'odsm', 'sdsm', 'alis'].map(handler =>
      movie(
        'other tracks',
        `a track of ${handler.trim()}`,
        {
          container: handler === 'clcp' ? 'mov' : 'mp4',
          change: boxes =>
            addDataTrack(
              boxes,
              handler === 'sbtl' || handler === 'subt'
                ? captions(handler, 'tx3g', ['one', 'two'], 1_000)
                : opaque(handler, handler === 'clcp' ? 'c608' : 'dat0', 4, 500),
            ),
        },
        {},
        handler === 'odsm',
      ),
    ),
  ]
}

function messengers(): Recipe[] {
  const small = { width: 336, height: 256 }
  const forms: [string, Partial<Clip>][] = [
    [
      'WhatsApp',
      {
        change: boxes => {
          setBrands(boxes, 'mp42', ['mp41', 'isom'])
          boxes.splice(1, 0, box('beam', u32(1), Buffer.alloc(12)))
        },
        encode: ['-profile:v', 'baseline'],
        soundRate: 48_000,
      },
    ],
    [
      'WhatsApp on Android',
      {
        scale: 90_000,
        change: boxes => setBrands(boxes, 'mp42', ['isom', 'mp42']),
        soundRate: 44_100,
        pts: 'round(N*4000+60*sin(N))',
        seconds: 2.5,
        length: 2.5,
      },
    ],
    ['Telegram', { mux: ['-movflags', '+faststart'], bFrames: 2 }],
    ['a Telegram round video', { width: 384, height: 384, sound: 'aac', soundRate: 44_100 }],
    ['Signal', { scale: 90_000, mux: ['-movflags', '+faststart'] }],
    ['Instagram', { bFrames: 2, mux: ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'] }],
    ['WeChat', { scale: 600, soundRate: 44_100, rate: '30' }],
    ['TikTok', { rate: '60', bFrames: 2, mux: ['-movflags', '+faststart', '-metadata', 'comment=vid:v12044gd0000'] }],
    ['Snapchat', { change: boxes => rotate(boxes, 90, false), turn: 90, sound: 'none' }],
    ['yt-dlp', { rate: '30', bFrames: 2, via: 'mkv' }],
    ['Twitter', { mux: ['-movflags', '+faststart'], change: undefined, rate: '25' }],
    ['Discord', { scale: 12_800, rate: '25', bFrames: 1 }],
    ['an iMessage', { container: 'mov', scale: 600, bFrames: 2, rate: '30000/1001' }],
    ['Messenger on iOS', { container: 'mp4', scale: 600, bFrames: 2, rate: '30' }],
  ]
  return [
    ...forms.flatMap(([name, form]) =>
      [0, 1].map(at => {
        const clip: Clip = { container: 'mp4', ...small, ...form, ...(at ? { channels: 2 } : {}) }
        if (clip.change === undefined) delete clip.change
        return movie('messengers', `${name}, ${at ? 'stereo' : 'mono'}`, clip, {}, name === 'WhatsApp' && at === 0)
      }),
    ),
    ...(['h264', 'hevc', 'hevc10', 'vp9', 'av1', 'mpeg4'] as const).flatMap(codec =>
      ['24', '60'].map(rate =>
        movie('codecs', `${codec} at ${rate}`, { container: 'mp4', codec, rate, bFrames: codec.startsWith('h') ? 2 : 0 }),
      ),
    ),
    ...[
      [256, 256],
      [640, 256],
      [256, 640],
      [416, 272],
      [270, 480],
      [300, 258],
      [426, 320],
    ].map(([width = 0, height = 0]) => movie('sizes', `${width} × ${height}`, { container: 'mp4', width, height, bFrames: 2 })),
    ...[5, 4.5].map(seconds =>
      movie('lengths', `${seconds} s at scale 600`, {
        container: 'mov',
        scale: 600,
        seconds,
        bFrames: 2,
        sound: seconds === 5 ? 'aac' : 'none',
      }),
    ),
    movie('doubled boxes', 'two udta, two free', {
      container: 'mp4',
      change: boxes => {
        boxes.find(({ type }) => type === 'moov')?.children?.push(container('free', []), box('udta', rawBox('\xa9nam', words('again'))))
      },
    }),
    movie('doubled boxes', 'an empty udta with its zero', {
      container: 'mov',
      change: boxes => {
        boxes.find(({ type }) => type === 'moov')?.children?.push(box('udta', bytes(u32(0))))
      },
    }),
  ]
}

export const editorFamilies = () => [...trims(), ...editors(), ...messengers()]
