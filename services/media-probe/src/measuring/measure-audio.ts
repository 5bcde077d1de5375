import { readFile } from 'node:fs/promises'
import { cleanMp3 } from '../cleaning/clean-mp3'
import { cleanWav } from '../cleaning/clean-wav'
import { reject } from '../errors'
import { checkDeclared, checkSeconds, rounded } from '../limits/check'
import { decodeSound, ffprobe } from './children'
import type { Copy, Measured, Tools } from './measured'
import { withoutPriming } from './without-priming'

/** One frame of MP3 at 44.1 kHz; WAV has none, but encoders cut at such frames. */
const usualFrameSeconds = 1152 / 44_100
const roundingSeconds = 0.01

/** What our own copy says of itself: its header is ours, so cleaning it once more only reads it. */
type Sound = { codec: string; sampleRate: number; channels: number; seconds: number; frameSeconds: number; trimmed: boolean }

export async function measureAudio(tools: Tools, copy: Copy): Promise<Measured> {
  const bytes = await readFile(copy.path)
  const sound: Sound = copy.format === 'mp3' ? { codec: 'mp3', ...cleanMp3(bytes) } : { ...cleanWav(bytes), frameSeconds: 0, trimmed: true }
  // Far off, it needs no decoding; near the edge, the decoded length decides.
  if (copy.limits.secondsMax > 0 && sound.seconds > copy.limits.secondsMax + 1) checkSeconds(sound.seconds, copy.limits)
  await checkReading(tools, copy, sound)
  const decoded = await decodeSound(tools, copy)
  if (Math.abs(decoded - sound.seconds) > Math.max(roundingSeconds, sound.frameSeconds / 2))
    throw reject('media_corrupt', {
      measured: `${rounded(decoded)} s of sound where there should be ${rounded(sound.seconds)} s`,
      limit: 'an undamaged file: export it anew',
    })
  const seconds = sound.trimmed ? decoded : withoutPriming(decoded, sound.frameSeconds)
  checkSeconds(seconds, copy.limits)
  checkDeclared(seconds, usualFrameSeconds, copy.declaredSeconds)
  return { format: copy.format, width: 0, height: 0, frameRate: 0, seconds }
}

type Probed = { streams?: { codec_name?: string; sample_rate?: string; channels?: number }[] }

/** What we read as plain numbers some players take for Dolby or DTS: ffmpeg looks into WAV for it. Both must read one thing. */
async function checkReading(tools: Tools, copy: Copy, { codec, sampleRate, channels }: Sound): Promise<void> {
  const { streams = [] } = await ffprobe<Probed>(tools, copy, ['-show_entries', 'stream=codec_name,sample_rate,channels'])
  const [stream] = streams
  if (streams.length === 1 && stream?.codec_name === codec && Number(stream.sample_rate) === sampleRate && stream.channels === channels)
    return
  throw reject('media_type_unsupported', {
    measured: `a ${copy.format.toUpperCase()} that players read as ${stream?.codec_name ?? 'nothing'} too`,
    limit: 'plain sound: export it as 16-bit WAV or MP3',
  })
}
