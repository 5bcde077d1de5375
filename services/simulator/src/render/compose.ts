import type { Composition } from './composition'
import { createGraph, type Graph } from './graph'
import { frameRate, picture } from './picture'
import { sound } from './sound'
import { pictureEncoder, secondSize } from './tracks'

/**
 * ffmpeg's arguments for a video in which the request can be recognised: the first frame (else a pattern of the prompt's own colours) behind
 * everything, the last frame fading in over the second half, references as tiles, the prompt, a clock, and sound where it was asked for.
 */
export function compose(composition: Composition): string[] {
  const { request, output, tracks } = composition
  const graph = createGraph()
  const videos = tracks.picture ? labelsOf(graph, picture(graph, composition), 'split', tracks.second === 'picture') : []
  const audios = labelsOf(graph, sound(graph, composition), 'asplit', tracks.second === 'sound')
  return [
    ...[...graph.args, '-filter_complex', graph.chains.join(';')],
    ...[...videos, ...audios].flatMap(label => ['-map', label]),
    ...(tracks.picture ? ['-frames:v', String(request.duration_seconds * frameRate), '-r', String(frameRate)] : []),
    ...(tracks.picture ? [...pictureEncoder(tracks), '-crf', '28'] : []),
    ...(tracks.second === 'picture' ? ['-s:v:1', secondSize] : []),
    ...(audios.length > 0 ? ['-c:a', 'aac', '-b:a', '96k'] : []),
    ...['-t', String(request.duration_seconds), '-movflags', '+faststart', '-f', 'mp4', output],
  ]
}

/** The label of a track, or of it and its copy. */
function labelsOf(graph: Graph, label: string | undefined, split: 'split' | 'asplit', twice: boolean): string[] {
  if (!label) return []
  if (!twice) return [label]
  const copies = [`[${split}0]`, `[${split}1]`]
  graph.chain(`${label}${split}${copies.join('')}`)
  return copies
}
