import type { Composition } from './composition'
import { createGraph } from './graph'
import { frameRate, picture } from './picture'
import { sound } from './sound'

/**
 * ffmpeg's arguments for a video in which the request can be recognised: the first frame (else a pattern of the prompt's own colours) behind
 * everything, the last frame fading in over the second half, references as tiles, the prompt, a clock, and sound where it was asked for.
 */
export function compose(composition: Composition): string[] {
  const { request, output, withPicture } = composition
  const graph = createGraph()
  const video = withPicture ? picture(graph, composition) : undefined
  const audio = sound(graph, composition)
  return [
    ...[...graph.args, '-filter_complex', graph.chains.join(';')],
    ...(video ? ['-map', video, '-frames:v', String(request.duration_seconds * frameRate), '-r', String(frameRate)] : []),
    ...(video ? ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '28', '-pix_fmt', 'yuv420p'] : []),
    ...(audio ? ['-map', audio, '-c:a', 'aac', '-b:a', '96k'] : []),
    ...['-t', String(request.duration_seconds), '-movflags', '+faststart', '-f', 'mp4', output],
  ]
}
