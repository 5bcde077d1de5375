import { isFreeFormat, readFrame } from '../cleaning/mp3/frame'
import { nextFrame } from '../cleaning/mp3/scan'
import type { Format } from '../limits/formats'

/** The type that the first bytes show. `format` is set if a card may allow it; `name` is for messages. */
export type SniffResult = { format: Format | undefined; name: string }

/** Number of bytes that a decision needs. */
export const sniffBytes = 4096

/** MP4 brands for playback. Cameras list one of them after a major brand of their own. */
const mp4Brands = /^(?:isom|iso[2-9a-c]|mp4[12]|avc1|M4V |M4VH|M4VP|MSNV|dash|msdh|cmfc|cmf2|cmfs|f4v )$/
/** Audio-only files, whatever compatible brands they list. */
const soundBrands = /^M4[ABP] $/

const unsupportedSignatures: [name: string, bytes: string][] = [
  ['a GIF picture', 'GIF8'],
  ['a TIFF or raw picture', 'II*\0'],
  ['a TIFF or raw picture', 'MM\0*'],
  ['a raw picture', 'FUJIFILMCCD-RAW'],
  ['a BMP picture', 'BM'],
  ['a Photoshop picture', '8BPS'],
  ['an OpenEXR picture', 'v/1\x01'],
  ['a JPEG 2000 picture', '\0\0\0\x0cjP  '],
  ['a JPEG XL picture', '\0\0\0\x0cJXL '],
  ['a JPEG XL picture', '\xff\x0a'],
  ['matroska or webm', '\x1a\x45\xdf\xa3'],
  ['flac', 'fLaC'],
  ['ogg', 'OggS'],
  ['zip', 'PK\x03\x04'],
  ['gzip', '\x1f\x8b'],
  ['pdf', '%PDF'],
  ['postscript', '%!PS'],
  ['hls playlist', '#EXTM3U'],
  ['concat list', 'ffconcat'],
  ['sdp', 'v=0'],
  ['mpeg-ts', 'G@'],
  ['aiff', 'FORM'],
  ['caf', 'caff'],
  ['amr', '#!AMR'],
  ['wave64', 'riff'],
  ['aac', '\xff\xf1'],
  ['aac', '\xff\xf9'],
  ['mp2', '\xff\xfd'],
  ['mp2', '\xff\xfc'],
  ['flv', 'FLV'],
  ['asf', '\x30\x26\xb2\x75'],
]

/** Decides by magic bytes alone; file names and headers are not trusted. */
export function sniff(head: Buffer): SniffResult {
  const ascii = head.toString('latin1', 0, 64)
  const supported = (format: Format): SniffResult => ({ format, name: format })
  if (head.length === 0) return { format: undefined, name: 'empty' }
  if (ascii.startsWith('\xff\xd8\xff')) return supported('jpeg')
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return supported('png')
  if (ascii.startsWith('RIFF')) return sniffRiff(ascii.slice(8, 12))
  if (/^(?:RF64|BW64)/.test(ascii) && ascii.slice(8, 12) === 'WAVE') return supported('wav')
  if (ascii.slice(4, 8) === 'ftyp') return sniffStillPicture(ascii) ?? sniffBrand(head)
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(ascii.slice(4, 8))) return supported('mov')
  if (ascii.startsWith('ID3') || readFrame(head, 0) || isFreeFormat(head, 0)) return supported('mp3')
  const other = unsupportedSignatures.find(([, bytes]) => ascii.startsWith(bytes))
  if (other) return { format: undefined, name: other[0] }
  if (hasLaterMp3Frame(head)) return supported('mp3')
  return { format: undefined, name: /^\s*<|^\s*[[{]/.test(ascii) ? 'markup or text' : 'unknown' }
}

function sniffRiff(form: string): SniffResult {
  if (form === 'WEBP') return { format: 'webp', name: 'webp' }
  if (form === 'WAVE') return { format: 'wav', name: 'wav' }
  return { format: undefined, name: form === 'AVI ' ? 'avi' : 'riff' }
}

/** Still pictures of phones, in the MP4 box format. `mif1` and `msf1` name the codec in a compatible brand. */
function sniffStillPicture(ascii: string): SniffResult | undefined {
  const [major, others] = [ascii.slice(8, 12), ascii.slice(16)]
  const unsupported = (name: string): SniffResult => ({ format: undefined, name })
  if (/^avi[fs]$/.test(major) || (/^m[is]f[12]$/.test(major) && others.includes('avif'))) return unsupported('an AVIF picture')
  if (/^(?:hei[cxms]|hev[cxms]|m[is]f[12])$/.test(major)) return unsupported('an HEIC picture')
  return major === 'crx ' ? unsupported('a raw picture') : undefined
}

function sniffBrand(head: Buffer): SniffResult {
  const major = head.toString('latin1', 8, 12)
  const boxBytes = Math.min(head.readUInt32BE(0), head.length)
  const compatible = Array.from({ length: Math.max(0, (boxBytes - 16) >> 2) }, (_, index) =>
    head.toString('latin1', 16 + 4 * index, 20 + 4 * index),
  )
  if (major === 'qt  ') return { format: 'mov', name: 'mov' }
  if (mp4Brands.test(major)) return { format: 'mp4', name: 'mp4' }
  if (soundBrands.test(major)) return { format: undefined, name: 'an M4A sound' }
  if (compatible.some(one => mp4Brands.test(one))) return { format: 'mp4', name: 'mp4' }
  if (compatible.includes('qt  ')) return { format: 'mov', name: 'mov' }
  return { format: undefined, name: `iso media ${major.replace(/[^ -~]/g, '?').trim()}` }
}

/** The file starts with another tag, zeros or a partial frame, and MP3 data follow. */
function hasLaterMp3Frame(head: Buffer): boolean {
  const start = head.findIndex(byte => byte !== 0)
  if (start === -1) return false
  const ascii = head.toString('latin1', start, start + 8)
  return ascii.startsWith('ID3') || ascii === 'APETAGEX' || nextFrame(head, start, head.length) !== undefined
}
