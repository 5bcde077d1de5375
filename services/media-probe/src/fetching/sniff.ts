import { isFreeFormat, readFrame } from '../cleaning/mp3/frame'
import { nextFrame } from '../cleaning/mp3/scan'
import type { Advice, Format } from '../limits/formats'
import { describeText, pageBytesMax, startsMarkup } from './unsupported/describe-text'
import { asAny, asEither, asPicture, asSound, asVideo, signatures } from './unsupported/signatures'

/** The type that the first bytes show. `format` is set if a card may allow it; `name` is for messages. */
export type SniffResult = { format: Format | undefined; name: string; advice: Advice }

const sniffBytes = 4096
/** Number of bytes that a decision needs. */
export const sniffBytesFor = (head: Buffer): number => (startsMarkup(head) ? pageBytesMax : sniffBytes)

/** MP4 brands for playback. Cameras list one of them after a major brand of their own. */
const mp4Brands = /^(?:isom|iso[2-9a-c]|mp4[12]|avc1|M4V |M4VH|M4VP|MSNV|dash|msdh|cmfc|cmf2|cmfs|f4v )$/
/** Audio-only files, whatever compatible brands they list. */
const soundBrands = /^M4[ABP] $/

const adviceOf: Record<Format, Advice> = {
  ...{ jpeg: asPicture, png: asPicture, webp: asPicture },
  ...{ mp4: asEither, mov: asEither, mp3: asSound, wav: asSound },
}
const supported = (format: Format): SniffResult => ({ format, name: format, advice: adviceOf[format] })
const unsupported = (name: string, advice: Advice): SniffResult => ({ format: undefined, name, advice })

/** Decides by magic bytes alone; file names and headers are not trusted. */
export function sniff(bytes: Buffer): SniffResult {
  const head = bytes.subarray(0, sniffBytes)
  const ascii = head.toString('latin1', 0, 64)
  if (ascii.startsWith('\xff\xd8\xff')) return supported('jpeg')
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return supported('png')
  if (ascii.startsWith('RIFF')) return sniffRiff(ascii.slice(8, 12))
  if (/^(?:RF64|BW64)/.test(ascii) && ascii.slice(8, 12) === 'WAVE') return supported('wav')
  if (ascii.slice(4, 8) === 'ftyp') return sniffStillPicture(ascii) ?? sniffBrand(head)
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(ascii.slice(4, 8))) return supported('mov')
  if (ascii.startsWith('ID3') || readFrame(head, 0) || isFreeFormat(head, 0)) return supported('mp3')
  if (ascii.startsWith('\x1a\x45\xdf\xa3')) return unsupported(ascii.includes('webm') ? 'a WebM video' : 'a Matroska video (MKV)', asEither)
  if (ascii.startsWith('OggS'))
    return ascii.includes('theora') ? unsupported('an Ogg video', asVideo) : unsupported('an Ogg sound', asSound)
  const [name, , advice] = signatures.find(([, bytes]) => ascii.startsWith(bytes)) ?? []
  if (name && advice) return unsupported(name, advice)
  if (hasLaterMp3Frame(head)) return supported('mp3')
  return { format: undefined, ...(describeText(bytes) ?? { name: 'a file of unknown type', advice: asAny }) }
}

function sniffRiff(form: string): SniffResult {
  if (form === 'WEBP') return supported('webp')
  if (form === 'WAVE') return supported('wav')
  return form === 'AVI ' ? unsupported('an AVI video', asVideo) : unsupported('a RIFF file', asEither)
}

/** Still pictures of phones, in the MP4 box format. `mif1` and `msf1` name the codec in a compatible brand. */
function sniffStillPicture(ascii: string): SniffResult | undefined {
  const [major, others] = [ascii.slice(8, 12), ascii.slice(16)]
  if (/^avi[fs]$/.test(major) || (/^m[is]f[12]$/.test(major) && others.includes('avif'))) return unsupported('an AVIF picture', asPicture)
  if (/^(?:hei[cxms]|hev[cxms]|m[is]f[12])$/.test(major)) return unsupported('an HEIC picture', asPicture)
  return major === 'crx ' ? unsupported('a raw picture', asPicture) : undefined
}

function sniffBrand(head: Buffer): SniffResult {
  const major = head.toString('latin1', 8, 12)
  const boxBytes = Math.min(head.readUInt32BE(0), head.length)
  const compatible = Array.from({ length: Math.max(0, (boxBytes - 16) >> 2) }, (_, index) =>
    head.toString('latin1', 16 + 4 * index, 20 + 4 * index),
  )
  if (major === 'qt  ') return supported('mov')
  if (mp4Brands.test(major)) return supported('mp4')
  if (soundBrands.test(major)) return unsupported('an M4A sound', asSound)
  if (compatible.some(one => mp4Brands.test(one))) return supported('mp4')
  if (compatible.includes('qt  ')) return supported('mov')
  return unsupported(`iso media ${major.replace(/[^ -~]/g, '?').trim()}`, asEither)
}

/** The file starts with another tag, zeros or a partial frame, and MP3 data follow. */
function hasLaterMp3Frame(head: Buffer): boolean {
  const start = head.findIndex(byte => byte !== 0)
  if (start === -1) return false
  const ascii = head.toString('latin1', start, start + 8)
  return ascii.startsWith('ID3') || ascii === 'APETAGEX' || nextFrame(head, start, head.length) !== undefined
}
