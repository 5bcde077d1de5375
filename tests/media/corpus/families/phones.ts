import { type Box, bytes, find, rawBox, text, tracksOf, u32 } from '../build/boxes'
import { type Clip, movie } from '../build/clip'
import { addDataTrack, addKeys, opaque, rotate, setBrands, setUserData, timedMetadata, words } from '../build/tracks'
import type { Recipe } from '../recipe'

const appleKeys = {
  'com.apple.quicktime.location.ISO6709': '+48.1173+011.5167+519.000/',
  'com.apple.quicktime.make': 'Apple',
  'com.apple.quicktime.model': 'iPhone 15 Pro',
  'com.apple.quicktime.software': '17.4.1',
  'com.apple.quicktime.creationdate': '2026-04-02T10:11:12+0200',
}

/** What an iPhone adds: its keys and so many tracks of timed metadata. */
const iphone =
  (tracks: number, turn = 0) =>
  (boxes: Box[]) => {
    rotate(boxes, turn)
    setBrands(boxes, 'qt  ', ['qt  '])
    for (let track = 0; track < tracks; track += 1)
      addDataTrack(
        boxes,
        timedMetadata(
          ['com.apple.quicktime.video-orientation', 'com.apple.quicktime.live-photo-info', 'com.apple.quicktime.detected-face'][
            track % 3
          ] ?? '',
          20,
          100,
        ),
      )
    addKeys(boxes, appleKeys)
  }

const bt709: Clip['colour'] = ['bt709', 'bt709', 'bt709']
const hlg: Clip['colour'] = ['bt2020', 'arib-std-b67', 'bt2020nc']
const p3: Clip['colour'] = ['smpte432', 'bt709', 'bt709']
const turns = [0, 90, 180, 270]

function iphones(): Recipe[] {
  const common = { container: 'mov', scale: 600, colour: bt709 } as const
  const rates = ['24', '25', '30', '30000/1001', '60', '60000/1001']
  return [
    ...rates.flatMap(rate =>
      [0, 2].flatMap(bFrames =>
        turns.map(turn =>
          movie(
            'iPhone MOV',
            `H.264 ${rate} fps, ${bFrames} B-frames, turned ${turn}`,
            { ...common, rate, bFrames, turn, change: iphone(5, turn) },
            {},
            rate === '60' && bFrames === 2 && turn === 90,
          ),
        ),
      ),
    ),
    ...['24', '30', '60'].flatMap(rate =>
      [0, 90].map(turn =>
        movie(
          'iPhone HEVC',
          `HEVC ${rate} fps, turned ${turn}`,
          { ...common, codec: 'hevc', bFrames: 2, rate, turn, change: iphone(5, turn) },
          {},
          rate === '30' && turn === 90,
        ),
      ),
    ),
    ...[0, 90, 180, 270].map(turn =>
      movie('iPhone HDR', `10-bit HEVC in HLG, turned ${turn}`, { ...common, codec: 'hevc10', colour: hlg, turn, change: iphone(5, turn) }),
    ),
    movie('iPhone P3', 'display P3', { ...common, colour: p3, change: iphone(5) }),
    ...[1, 2, 8, 12].map(tracks =>
      movie('iPhone data tracks', `${tracks} tracks of metadata`, { ...common, bFrames: 2, change: iphone(tracks) }, {}, tracks === 12),
    ),
    ...[44_100, 48_000].flatMap(soundRate =>
      [1, 2].map(channels =>
        movie('iPhone sound', `${soundRate} Hz, ${channels} channels`, { ...common, soundRate, channels, change: iphone(5) }),
      ),
    ),
    movie('iPhone sound', 'spatial sound beside stereo', {
      ...common,
      maps: ['-map', '0:v', '-map', '0:a', '-map', '0:a'],
      change: boxes => {
        iphone(3)(boxes)
        // Its second track is of a codec that nobody but Apple knows.
        find(tracksOf(boxes, 'soun').slice(1), 'stsd').body.write('apac', 12, 'latin1')
      },
    }),
    ...[60.05, 60.2, 60.29].map(fps =>
      movie(
        'iPhone clock',
        `60 fps by a clock of ${fps}`,
        { ...common, rate: '60', bFrames: 2, seconds: 2.5, pts: `round(N*120000/${fps})`, length: 150 / fps, change: iphone(5) },
        {},
        fps === 60.2,
      ),
    ),
    ...[0, 1].map(channels =>
      movie('Live Photo', channels ? 'with sound' : 'without sound', {
        ...common,
        seconds: 2.4,
        sound: channels ? 'pcm16' : 'none',
        change: iphone(2, 90),
        turn: 90,
      }),
    ),
    ...['30', '24'].map(rate =>
      movie('iPhone portrait', `filmed upright at ${rate}`, {
        ...common,
        rate,
        width: 480,
        height: 272,
        turn: 90,
        bFrames: 2,
        change: iphone(5, 90),
      }),
    ),
    ...['mp4', 'mov'].flatMap(to =>
      [0, 90].map(turn =>
        movie('iPhone export', `shared as ${to}, turned ${turn}`, {
          container: to as 'mp4' | 'mov',
          scale: 600,
          bFrames: 2,
          turn,
          mux: ['-movflags', '+faststart'],
          colour: bt709,
          change: boxes => rotate(boxes, turn),
        }),
      ),
    ),
  ]
}

const samsungData = () =>
  rawBox('sefd', 'SEFH', u32(107), u32(1), Buffer.from([0, 0, 1, 0x0a]), u32(32), u32(24), 'Image_UTC_Data1775117472000', u32(36), 'SEFT')

function galaxies(): Recipe[] {
  const common: Clip = { container: 'mp4', scale: 90_000, colour: bt709 }
  const galaxy = (turn: number) => (boxes: Box[]) => {
    rotate(boxes, turn, false)
    setBrands(boxes, 'mp42', ['isom', 'mp42'])
    setUserData(boxes, { SDLN: 'SEQ_PLAY', smrd: 'TRUEBLUE', smta: rawBox('saut', u32(0)), auth: 'SM-S918B' })
  }
  return [
    ...['30', '30000/1001', '60', '60000/1001', '24'].flatMap(rate =>
      turns.map(turn =>
        movie(
          'Galaxy MP4',
          `${rate} fps, turned ${turn}`,
          { ...common, rate, turn, change: galaxy(turn), finish: file => bytes(file, samsungData()) },
          {},
          rate === '30' && turn === 90,
        ),
      ),
    ),
    ...[29.97, 30.03, 29.8, 30.2].map(fps =>
      movie('Galaxy clock', `30 fps by a clock of ${fps}`, {
        ...common,
        pts: `round(N*120000/${fps}+40*sin(N*2.1))`,
        seconds: 2.5,
        length: 75 / fps,
        change: galaxy(90),
        turn: 90,
      }),
    ),
    ...['sefd', 'mdta', 'free', 'skip', 'uuid', 'wide', 'xyz1', '\xa9sam'].map(type =>
      movie('boxes behind moov', `a ${type} box`, {
        ...common,
        change: galaxy(0),
        finish: file => bytes(file, rawBox(type, Buffer.alloc(type === 'uuid' ? 64 : 200, 7))),
      }),
    ),
  ]
}

function pixels(): Recipe[] {
  const common: Clip = { container: 'mp4', scale: 90_000 }
  const pixel = (turn: number, tracks: number) => (boxes: Box[]) => {
    rotate(boxes, turn, false)
    setBrands(boxes, 'mp42', ['isom', 'mp42'])
    for (let track = 0; track < tracks; track += 1) addDataTrack(boxes, opaque('meta', track % 2 ? 'camm' : 'mett', 10, 200))
    addKeys(boxes, {
      'com.android.version': '14',
      'com.android.manufacturer': 'Google',
      'com.android.model': 'Pixel 8',
      'com.android.capture.fps': '30',
    })
  }
  return [
    ...turns.flatMap(turn =>
      [1, 2].map(tracks =>
        movie(
          'Pixel MP4',
          `${tracks} data tracks, turned ${turn}`,
          { ...common, turn, change: pixel(turn, tracks) },
          {},
          turn === 270 && tracks === 2,
        ),
      ),
    ),
    ...['hevc', 'av1', 'vp9'].map(codec => movie('Pixel codecs', codec, { ...common, codec: codec as 'hevc', change: pixel(0, 1) })),
    ...[1, 2, 3, 4, 5, 6].map(seed =>
      movie('Android clock', `frames that come unevenly, ${seed}`, {
        ...common,
        seconds: 2.5,
        pts: `round(N*4000+${seed * 150}*sin(N*${seed}))`,
        length: 2.5,
        change: pixel(90, 1),
        turn: 90,
      }),
    ),
    ...['30', '60'].map(rate =>
      movie('HTC MP4', `${rate} fps with htcb`, {
        ...common,
        rate,
        change: boxes => setUserData(boxes, { htcb: 'HTC_ONE', '\xa9xyz': words('+25.0330+121.5654/') }),
      }),
    ),
    ...['Xiaomi', 'HUAWEI', 'OnePlus', 'OPPO', 'vivo', 'motorola'].flatMap(provider =>
      [0, 90].map(turn =>
        movie('Android providers', `${provider}, turned ${turn}`, {
          ...common,
          turn,
          rate: turn ? '30' : '60',
          change: boxes => {
            rotate(boxes, turn, false)
            setBrands(boxes, 'mp42', ['isom', 'mp42'])
            addKeys(boxes, { 'com.android.manufacturer': provider, [`com.${provider.toLowerCase()}.normal_video`]: '1' })
          },
          finish: file => bytes(file, rawBox('meta', text(provider), Buffer.alloc(32))),
        }),
      ),
    ),
  ]
}

export const phones = () => [...iphones(), ...galaxies(), ...pixels()]
