import type { Advice } from '../../limits/formats'

export const asPicture: Advice = { jpeg: 'save it as JPEG and send that' }
export const asSound: Advice = { mp3: 'save it as MP3 or WAV and send that' }
export const asVideo: Advice = { mp4: 'export it as MP4 and send that' }
/** Containers of sound or video, and files that no magic bytes name. */
export const asEither: Advice = { ...asVideo, ...asSound }
export const asAny: Advice = { ...asPicture, ...asEither }
export const unpacked: Advice = { any: 'unpack it and send the file in it' }
export const directLink: Advice = { any: 'send the direct download link' }

/** The first bytes of types that no card allows, with what a person can do. */
export const signatures: [name: string, bytes: string, advice: Advice][] = [
  ['a GIF picture', 'GIF8', { ...asPicture, ...asVideo }],
  ['a TIFF or raw picture', 'II*\0', asPicture],
  ['a TIFF or raw picture', 'MM\0*', asPicture],
  ['a raw picture', 'FUJIFILMCCD-RAW', asPicture],
  ['a BMP picture', 'BM', asPicture],
  ['a Photoshop picture', '8BPS', asPicture],
  ['an OpenEXR picture', 'v/1\x01', asPicture],
  ['a JPEG 2000 picture', '\0\0\0\x0cjP  ', asPicture],
  ['a JPEG XL picture', '\0\0\0\x0cJXL ', asPicture],
  ['a JPEG XL picture', '\xff\x0a', asPicture],
  ['a PDF document', '%PDF', asPicture],
  ['a PostScript document', '%!PS', asPicture],
  ['a FLAC sound', 'fLaC', asSound],
  ['an AIFF sound', 'FORM', asSound],
  ['a CAF sound', 'caff', asSound],
  ['an AMR sound', '#!AMR', asSound],
  ['a Wave64 sound', 'riff', asSound],
  ['an AAC sound', '\xff\xf1', asSound],
  ['an AAC sound', '\xff\xf9', asSound],
  ['an MP2 sound', '\xff\xfd', asSound],
  ['an MP2 sound', '\xff\xfc', asSound],
  ['a MIDI sound', 'MThd', asSound],
  ['an AC-3 sound', '\x0b\x77', asSound],
  ['an FLV video', 'FLV', asVideo],
  ['an MPEG-TS video', 'G@', asVideo],
  ['an MPEG video', '\0\0\x01\xba', asVideo],
  ['an MPEG video', '\0\0\x01\xb3', asVideo],
  ['a raw H.264 or HEVC video', '\0\0\0\x01', asVideo],
  ['a Windows Media file', '\x30\x26\xb2\x75', asEither],
  ['a RealMedia file', '.RMF', asEither],
  ['an HLS playlist', '#EXTM3U', asVideo],
  ['a concat list', 'ffconcat', asVideo],
  ['an SDP description', 'v=0', asVideo],
  ['a ZIP archive', 'PK\x03\x04', unpacked],
  ['a gzip archive', '\x1f\x8b', unpacked],
  ['a RAR archive', 'Rar!', unpacked],
  ['a 7z archive', '7z\xbc\xaf', unpacked],
  ['a Git LFS pointer, not the file', 'version https://git-lfs', directLink],
]
