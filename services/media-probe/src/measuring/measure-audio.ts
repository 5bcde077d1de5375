import { ffprobe, inputArgs } from '../child/ffprobe'
import { runTool } from '../child/run-tool'
import type { CleanCopy } from '../child/source-file'
import type { Tools } from '../child/tools'
import type { CleanedSound } from '../cleaning/clean'
import { reject } from '../errors'
import { checkDeclaredSeconds, checkSeconds, rounded } from '../limits/check'
import type { Measurement } from './measurement'

/** An MP3 frame at 44.1 kHz. WAV has no frames, but encoders cut at this length. */
const usualFrameSeconds = 1152 / 44_100
const roundingSeconds = 0.01
/** Maximum encoder padding around the sound if no header states it; LAME's is shorter. */
const primingFramesMax = 3
const wholeSecondTolerance = 0.001

/** Measures the copy of a sound: ffprobe must agree with the cleaner, and the decoded length must match its count. */
export async function measureAudio(tools: Tools, copy: CleanCopy, sound: CleanedSound): Promise<Measurement> {
  // Obvious excess needs no decoding; near the limit, the decoded length decides.
  if (copy.limits.secondsMax > 0 && sound.seconds > copy.limits.secondsMax + 1) checkSeconds(sound.seconds, copy.limits)
  await checkFfprobeAgrees(tools, copy, sound)
  const decoded = await decodeSound(tools, copy)
  if (Math.abs(decoded - sound.seconds) > Math.max(roundingSeconds, sound.frameSeconds / 2))
    throw reject('media_corrupt', {
      measured: `${rounded(decoded)} s of sound where there should be ${rounded(sound.seconds)} s`,
      limit: 'an undamaged file: export it anew',
    })
  const seconds = sound.trimmed ? decoded : withoutPriming(decoded, sound.frameSeconds)
  checkSeconds(seconds, copy.limits)
  checkDeclaredSeconds(seconds, usualFrameSeconds, copy.declaredSeconds)
  return { format: copy.format, width: 0, height: 0, frameRate: 0, seconds }
}

type ProbedSound = { streams?: { codec_name?: string; sample_rate?: string; channels?: number }[] }

/** Some players interpret PCM in WAV as Dolby or DTS, and ffmpeg detects that. Both readings must agree. */
async function checkFfprobeAgrees(tools: Tools, copy: CleanCopy, { codec, sampleRate, channels }: CleanedSound): Promise<void> {
  const { streams = [] } = await ffprobe<ProbedSound>(tools, copy, ['-show_entries', 'stream=codec_name,sample_rate,channels'])
  const [stream] = streams
  if (streams.length === 1 && stream?.codec_name === codec && Number(stream.sample_rate) === sampleRate && stream.channels === channels)
    return
  throw reject('media_type_unsupported', {
    measured: `a ${copy.format.toUpperCase()} that players read as ${stream?.codec_name ?? 'nothing'} too`,
    limit: 'plain sound: export it as 16-bit WAV or MP3',
  })
}

/** Length of a sound with unknown padding. A fraction that may be padding is dropped, so that 5 s don't become 6. */
function withoutPriming(seconds: number, frameSeconds: number): number {
  const rest = seconds - Math.floor(seconds)
  return rest > wholeSecondTolerance && rest <= primingFramesMax * frameSeconds ? Math.floor(seconds) : seconds
}

/** Decodes a sound, discards it, and returns the seconds that ffmpeg counted. */
export async function decodeSound(tools: Tools, copy: CleanCopy): Promise<number> {
  const command = [
    ...[tools.ffmpeg, '-nostdin', '-v', 'error', '-hide_banner', '-xerror', '-threads', '1', ...inputArgs(copy)],
    ...['-map', '0:a:0', ...tools.keepFramesArgs, '-f', 'null', '-progress', 'pipe:1', '-'],
  ]
  const { output } = await runTool(tools, copy, { command })
  return Number([...output.matchAll(/^out_time_us=(-?[0-9]+)$/gm)].at(-1)?.[1] ?? 0) / 1_000_000
}
