import { type Box, bytes, rawBox, u32 } from '../build/boxes'
import { type Clip, type Codec, movie } from '../build/clip'
import { addDataTrack, captions, goproTelemetry, opaque, rotate, setBrands, setUserData, timecode, words } from '../build/tracks'
import type { Recipe } from '../recipe'

const bt709: Clip['colour'] = ['bt709', 'bt709', 'bt709']
const jpegThumbnail = bytes(
  Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex'),
  Buffer.alloc(600, 16),
  Buffer.from('ffd9', 'hex'),
)

const gopro =
  (turn = 0) =>
  (boxes: Box[]) => {
    rotate(boxes, turn)
    setBrands(boxes, 'mp41', ['mp41'], 0x20050309)
    addDataTrack(boxes, timecode(30, 2_000))
    addDataTrack(boxes, goproTelemetry(2, 1_000))
    addDataTrack(boxes, opaque('meta', 'fdsc', 2, 1_000, 'GoPro SOS'))
    setUserData(boxes, {
      FIRM: 'HD9.01.01.60.00',
      LENS: 'LFK0031002601234',
      CAME: Buffer.alloc(16, 0x5a),
      SETT: Buffer.alloc(12),
      MUID: Buffer.alloc(32, 1),
      HMMT: u32(0),
      GPMF: Buffer.alloc(200, 0x47),
    })
  }

function actionCameras(): Recipe[] {
  const rates = ['24000/1001', '25', '30000/1001', '50', '60000/1001', '60']
  return [
    ...rates.flatMap(rate =>
      (['h264', 'hevc'] as Codec[]).map(codec =>
        movie(
          'GoPro',
          `${codec} ${rate} fps`,
          { container: 'mp4', codec, rate, colour: bt709, scale: codec === 'h264' ? 90_000 : 60_000, change: gopro() },
          {},
          rate === '60000/1001' && codec === 'h264',
        ),
      ),
    ),
    ...[90, 180, 270].map(turn =>
      movie('GoPro', `turned ${turn}`, { container: 'mp4', turn, colour: ['bt709', 'bt709', 'bt709', 'pc'], change: gopro(turn) }),
    ),
    ...['25', '50', '60000/1001'].map(rate =>
      movie('Insta360', `${rate} fps with its trailer`, {
        container: 'mp4',
        rate,
        change: boxes => setBrands(boxes, 'avc1', ['avc1', 'isom']),
        finish: file => bytes(file, rawBox('inst', Buffer.alloc(3_000, 0x21), u32(3_000), '8db42d694ccc418790edff439fe026bf')),
      }),
    ),
    ...['30000/1001', '60000/1001'].map(rate =>
      movie('action cameras', `a dashcam at ${rate}`, {
        container: 'mov',
        rate,
        sound: 'pcm16',
        change: boxes => {
          setUserData(boxes, { 'gps ': Buffer.alloc(64, 3), '\xa9fmt': words('Novatek') })
          addDataTrack(boxes, opaque('text', 'text', 2, 900))
        },
        finish: file => bytes(file, rawBox('skip', Buffer.alloc(4_096))),
      }),
    ),
  ]
}

function drones(): Recipe[] {
  const telemetry = ['GPS(8.5,47.3,18)', 'HOME(8.5,47.3)']
  const dji = (own: (boxes: Box[]) => void) => (boxes: Box[]) => {
    setBrands(boxes, 'isom', ['isom', 'iso2', 'avc1', 'mp41'])
    own(boxes)
    setUserData(boxes, {
      '\xa9xyz': words('+47.3769+008.5417+512.4/'),
      '\xa9mdl': words('FC3582'),
      '\xa9xsp': words('+0.00'),
      '\xa9fpt': words('-12.30'),
      meta: Buffer.alloc(100, 5),
      thmb: jpegThumbnail,
    })
  }
  const forms: Record<string, (boxes: Box[]) => void> = {
    'data tracks': boxes => {
      addDataTrack(boxes, opaque('meta', 'djmd', 10, 200, 'CAM meta'))
      addDataTrack(boxes, opaque('meta', 'dbgi', 10, 200, 'CAM dbgi'))
    },
    captions: boxes => addDataTrack(boxes, captions('sbtl', 'tx3g', telemetry, 1_000)),
    'text and time code': boxes => {
      addDataTrack(boxes, captions('text', 'text', telemetry, 1_000))
      addDataTrack(boxes, timecode(30, 2_000))
    },
    'captions in subt': boxes => addDataTrack(boxes, captions('subt', 'tx3g', telemetry, 1_000)),
  }
  return Object.entries(forms).flatMap(([form, own]) =>
    ['24000/1001', '25', '30000/1001', '50', '60000/1001'].map((rate, at) =>
      movie(
        'DJI',
        `${form}, ${rate} fps`,
        { container: at % 2 ? 'mov' : 'mp4', rate, codec: at === 3 ? 'hevc' : 'h264', sound: at < 2 ? 'none' : 'aac', change: dji(own) },
        {},
        form === 'captions' && at === 2,
      ),
    ),
  )
}

/** Major brands whose compatible brands say mp4, as cameras and shops write them. */
const brands: [major: string, compatible: string[]][] = [
  ['XAVC', ['XAVC', 'mp42', 'iso2']],
  ['CAEP', ['CAEP', 'mp42']],
  ['NDSC', ['NDSC', 'mp42', 'isom']],
  ['NDSH', ['NDSH', 'mp42']],
  ['NDXC', ['NDXC', 'mp42']],
  ['niko', ['niko', 'mp42', 'avc1']],
  ['pana', ['pana', 'mp42', 'avc1']],
  ['FFMP', ['FFMP', 'mp42']],
  ['dby1', ['dby1', 'isom', 'mp42']],
  ['mp71', ['mp71', 'mp42', 'isom']],
  ['mmp4', ['mmp4', 'mp42', 'isom']],
  ['MFSM', ['MFSM', 'mp42']],
  ['LCAG', ['LCAG', 'mp42', 'isom']],
  ['caqv', ['caqv', 'mp42']],
  ['ARRI', ['ARRI', 'mp42']],
  ['SDV ', ['SDV ', 'mp42', 'isom']],
  ['bbxm', ['bbxm', 'mp42']],
  ['piff', ['piff', 'iso2', 'mp41']],
  ['ccff', ['ccff', 'isom']],
  ['iso7', ['iso7', 'isom', 'mp41']],
  ['3gp5', ['3gp5', 'isom', 'mp42']],
  ['MSNV', ['MSNV', 'isom', 'mp42']],
  ['mp42', ['mp42', 'XAVC', 'iso2']],
  ['M4V ', ['M4V ', 'mp42', 'isom']],
]

/** Players widen wide pixels and heighten narrow ones. */
function stretched(width: number, height: number, aspect: string) {
  const [above = 1, below = 1] = aspect.split('/').map(Number)
  return above > below ? { width: (width * above) / below, height } : { width, height: (height * below) / above }
}

function cameras(): Recipe[] {
  const mov: Clip = { container: 'mov', colour: bt709 }
  const sony = (boxes: Box[]) => {
    setBrands(boxes, 'XAVC', ['XAVC', 'mp42', 'iso2'], 0x01001fff)
    addDataTrack(boxes, opaque('meta', 'rtmd', 20, 100, 'Timed Metadata Media Handler'))
    boxes.splice(1, 0, { type: 'uuid', at: 0, body: bytes('PROF!\xd2O\xce\xbb\x88i\\\xfa\xc9\xc7@', Buffer.alloc(120, 1)) })
  }
  const providers: Record<string, (boxes: Box[]) => void> = {
    Canon: boxes => {
      setBrands(boxes, 'qt  ', ['qt  ', 'CAEP'])
      setUserData(boxes, { CNTH: rawBox('CNDA', jpegThumbnail), '\xa9mod': words('Canon EOS R6') })
    },
    Nikon: boxes => {
      setBrands(boxes, 'qt  ', ['qt  ', 'niko'])
      setUserData(boxes, { NCDT: rawBox('NCTH', jpegThumbnail) })
      addDataTrack(boxes, timecode(25, 2_000))
    },
    Fujifilm: boxes => {
      setBrands(boxes, 'qt  ', ['qt  '])
      setUserData(boxes, { MVTG: bytes('FUJIFILM', Buffer.alloc(60)), thmb: jpegThumbnail })
    },
    Olympus: boxes => {
      setBrands(boxes, 'qt  ', ['qt  '])
      setUserData(boxes, { thmb: jpegThumbnail, '\xa9mak': words('OLYMPUS') })
    },
    Pentax: boxes => setUserData(boxes, { PENT: Buffer.alloc(80, 7), '\xa9fmt': words('PENTAX') }),
    Blackmagic: boxes => {
      setBrands(boxes, 'qt  ', ['qt  '])
      addDataTrack(boxes, timecode(24, 2_000))
    },
  }
  return [
    ...['24000/1001', '25', '30000/1001', '50', '60000/1001'].map(rate =>
      movie(
        'Sony XAVC',
        `${rate} fps with real-time metadata`,
        { container: 'mp4', rate, bFrames: 2, scale: Number(rate.split('/')[0]), colour: ['bt709', 'iec61966-2-4', 'bt709'], change: sony },
        {},
        rate === '50',
      ),
    ),
    ...['AAC', 'MP3'].map(form =>
      movie('Sony XAVC', `sound as ${form}`, { container: 'mp4', sound: form === 'AAC' ? 'aac' : 'mp3', change: sony }),
    ),
    ...Object.entries(providers).flatMap(([provider, change]) =>
      ['24000/1001', '25', '30000/1001', '50'].map((rate, at) =>
        movie(
          'cameras MOV',
          `${provider} ${rate} fps`,
          { ...mov, rate, sound: at % 2 ? 'pcm16' : 'aac', bFrames: at % 2 ? 2 : 0, scale: 24_000, change },
          {},
          provider === 'Canon' && at === 1,
        ),
      ),
    ),
    ...brands.map(([major, compatible]) =>
      movie(
        'brands of MP4',
        major.trim(),
        { container: 'mp4', bFrames: 2, change: boxes => setBrands(boxes, major, compatible) },
        {},
        major === 'XAVC',
      ),
    ),
    ...['25', '50'].map(rate =>
      movie(
        'Panasonic',
        `AVC-Intra-like 10 bit at ${rate}`,
        { container: 'mov', codec: 'h264-high10', rate, sound: 'pcm24' },
        { chromium: false },
      ),
    ),
    ...(['prores', 'prores4444'] as Codec[]).flatMap(codec =>
      ['24', '24000/1001', '25', '30', '60000/1001'].map(rate =>
        movie(
          'ProRes',
          `${codec} ${rate}`,
          {
            container: 'mov',
            codec,
            rate,
            width: 320,
            sound: rate === '25' ? 'none' : 'pcm24',
            change: boxes => addDataTrack(boxes, timecode(24, 2_000)),
          },
          {},
          codec === 'prores' && rate === '25',
        ),
      ),
    ),
    ...[
      [1, 'pc'],
      [2, 'tv'],
    ].map(([bFrames, range]) =>
      movie(
        'cameras colour',
        `bt470bg in ${range} range`,
        { ...mov, bFrames: Number(bFrames), colour: ['bt470bg', 'gamma28', 'bt470bg', String(range)] },
        { colour: { primaries: 'bt470bg', transfer: 'bt470bg', matrix: 'bt470bg' } },
      ),
    ),
    ...['bt709', 'smpte170m', 'bt2020'].map(primaries =>
      movie('cameras colour', primaries, {
        container: 'mp4',
        colour: [primaries, primaries === 'bt2020' ? 'smpte2084' : primaries, primaries === 'bt2020' ? 'bt2020nc' : primaries],
        codec: primaries === 'bt2020' ? 'hevc10' : 'h264',
      }),
    ),
    ...['4/3', '16/15', '8/9', '3/4'].map(aspect =>
      movie(
        'anamorphic',
        `pixels of ${aspect}`,
        { container: 'mp4', aspect, width: 480, height: 384 },
        { shown: stretched(480, 384, aspect) },
      ),
    ),
  ]
}

export const cameraFamilies = () => [...actionCameras(), ...drones(), ...cameras()]
