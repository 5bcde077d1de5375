import type { Format } from '../../limits/formats'
import type { Stream } from '../../movie/probe-movie'

/** What ffmpeg writes into a QuickTime file only, and what into an MP4 only; everything else goes into both. */
const quickTimeOnly = /^(?:prores|pcm_|amr_|mace|adpcm|qdm|gsm)/
const mp4Only = /^(?:vp9|av1|flac|opus)$/

/**
 * The copy is of the type that the client's file was. Cameras write MP4 with a sound of QuickTime's (Sony's XAVC with PCM): such a copy is
 * laid out as they do, by the muxer that can and under the brand of its type.
 */
export function muxerOf(format: Format, picture: Stream, sound: Stream | undefined): string[] {
  const codecs = [picture.codec_name ?? '', sound?.codec_name ?? '']
  if (format === 'mp4') return codecs.some(codec => quickTimeOnly.test(codec)) ? ['-brand', 'mp42', '-f', 'mov'] : ['-f', 'mp4']
  return codecs.some(codec => mp4Only.test(codec)) ? ['-brand', 'qt  ', '-f', 'mp4'] : ['-f', 'mov']
}
