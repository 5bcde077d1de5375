export type Sample = { file: string; name: string; format: string; width: number; height: number; seconds: number }

const pictures = ['jpg', 'png', 'webp']
const clips = ['mp4', 'mov']
const sounds = ['mp3', 'wav']
const sidePixelsMax = 6_000
const secondsMax = 60

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

/** "lake-640x480.jpg", "walk-5s.mp4", "voice-2.5s.mp3"; undefined where it is none of these. */
export function readSampleName(file: string): Sample | undefined {
  const match = /^([a-z0-9]{1,32})(?:-([0-9]{1,4})x([0-9]{1,4}))?(?:-([0-9]{1,2}(?:\.[0-9]{1,3})?)s)?\.([a-z0-9]{3,4})$/.exec(file)
  const [, name = '', width = '1280', height = '720', seconds = '0', format = ''] = match ?? []
  const sample = { file, name, format, width: Number(width), height: Number(height), seconds: Number(seconds) }
  const lasting = clips.includes(format) || sounds.includes(format)
  if (!lasting && !pictures.includes(format)) return undefined
  if (lasting !== sample.seconds > 0 || sample.seconds > secondsMax) return undefined
  if (Math.min(sample.width, sample.height) < 16 || Math.max(sample.width, sample.height) > sidePixelsMax) return undefined
  return sample
}
