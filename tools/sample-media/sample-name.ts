export type Sample = {
  file: string
  name: string
  format: string
  width: number
  height: number
  framesPerSecond: number
  seconds: number
  /** Only its first half is served. */
  half: boolean
  /** It is served with zeros behind it up to this length; 0 for as it is. */
  bytes: number
}

const pictures = ['jpg', 'png', 'webp']
const clips = ['mp4', 'mov']
const sounds = ['mp3', 'wav']
const sidePixelsMax = 6_000
const secondsMax = 60
const mebibytesMax = 64

const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}

export const contentTypeOf = (format: string): string => contentTypes[format] ?? 'application/octet-stream'

const grammar =
  /^([a-z0-9]{1,32})(?:-([0-9]{1,4})x([0-9]{1,4}))?(?:-([0-9]{1,3})fps)?(?:-([0-9]{1,2}(?:\.[0-9]{1,3})?)s)?(-half)?(?:-([0-9]{1,2})mib)?\.([a-z0-9]{3,4})$/

/** "lake-640x480.jpg", "walk-5s.mp4", "voice-2.5s.mp3", "slow-10fps-3s.mp4", "cut-half.png", "huge-31mib.jpg"; undefined for others. */
export function readSampleName(file: string): Sample | undefined {
  const match = grammar.exec(file)
  const [, name = '', width = '1280', height = '720', rate = '30', seconds = '0', half, mebibytes = '0', format = ''] = match ?? []
  const sample = {
    ...{ file, name, format, width: Number(width), height: Number(height), framesPerSecond: Number(rate), seconds: Number(seconds) },
    ...{ half: half !== undefined, bytes: Number(mebibytes) * 1_048_576 },
  }
  const lasting = clips.includes(format) || sounds.includes(format)
  if (!lasting && !pictures.includes(format)) return undefined
  if (lasting !== sample.seconds > 0 || sample.seconds > secondsMax || Number(mebibytes) > mebibytesMax) return undefined
  if (sample.framesPerSecond < 1 || (match?.[4] !== undefined && !clips.includes(format))) return undefined
  if (Math.min(sample.width, sample.height) < 16 || Math.max(sample.width, sample.height) > sidePixelsMax) return undefined
  return sample
}
