import type { PictureCut, SoundCut } from './plan-cut'

/** x264's constant quality: SSIM to the shown frames is above 0.99 even for noise. */
const quality = 8
/** Pixels of all frames that the better preset may take: 15 s of 1080p at 30 frames/s. The fast one costs 40 % of it. */
const bestPresetPixelsMax = 1_000_000_000
/** Each holds frames of its own; a node's cores must not decide how much memory a child needs. */
export const encoderThreadsMax = 4
/** Of a copy's bytes; the rest is for sound and header. */
const pictureShare = 0.9
/** The bitrate of joined sound. */
const soundBitrate = '256k'

/** `pixelFormat` is one that x264 takes. */
export type Encoding = { pixelFormat: string; pixels: number; seconds: number; bytesMax: number; threads: number }

/**
 * Decodes the shown frames and encodes them as H.264 without reordering, at any length a copy may have. Their times stay.
 * The bitrate is bounded so that the copy fits its card.
 */
export function encodedPictureArgs(
  { index, timescale, shift, firstFrameDelay, end, typicalDuration, lastDuration }: PictureCut,
  { pixelFormat, pixels, seconds, bytesMax, threads }: Encoding,
): string[] {
  const bitrateMax = String(Math.floor((bytesMax * 8 * pictureShare) / seconds))
  const preset = pixels > bestPresetPixelsMax ? 'ultrafast' : 'veryfast'
  // Where an edit list joins pieces, the decoder's times may repeat.
  const stepMin = Math.max(1, Math.floor(typicalDuration / 2))
  const times = `max(PTS-${shift}\\,if(isnan(PREV_OUTPTS)\\,0\\,PREV_OUTPTS+${stepMin}))`
  return [
    ...['-map', `0:${index}`, '-video_track_timescale', String(timescale), '-enc_time_base:v', '-1'],
    ...['-vf', `showinfo=checksum=0,trim=start_pts=${shift - firstFrameDelay}:end_pts=${end},setpts=${times}`, '-pix_fmt', pixelFormat],
    ...['-c:v', 'libx264', '-preset', preset, '-tune', 'zerolatency', '-crf', String(quality), '-threads:v', String(threads)],
    ...['-maxrate', bitrateMax, '-bufsize', bitrateMax, '-bsf:v', `setts=duration=${Math.round(lastDuration)}`],
  ]
}

/** The nearest pixel format that x264 takes: without alpha, at most 10 bits, no halved colours at an odd side. */
export const encodableFormat = (pixelFormat: string, hasOddSide: boolean): string =>
  pixelFormat
    .replace(/^yuva/, 'yuv')
    .replace(/^gbrp/, 'yuv444p')
    .replace(/^nv12$/, 'yuv420p')
    .replace(/^p010le$/, 'yuv420p10le')
    .replace(/12le$/, '10le')
    .replace(/^yuv4(20|22)p/, hasOddSide ? 'yuv444p' : '$&')

/** Decodes the pieces that an edit list joins, each cut to the sample, and encodes them as AAC. */
export const encodedSoundArgs = ({ index, shift, end }: SoundCut): string[] => [
  ...['-map', `0:${index}`, '-c:a', 'aac', '-b:a', soundBitrate],
  ...['-af', `aresample=async=1:min_hard_comp=0.02,atrim=start_pts=${shift}:end_pts=${end},asetpts=PTS-${shift}`],
]
