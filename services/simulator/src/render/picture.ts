import type { FrameSize } from '../generation/frame-size'
import type { GenerationRequest } from '../generation/generation'
import type { Composition } from './composition'
import type { Graph } from './graph'

/** Frames a second of every output. */
export const frameRate = 24

const still = ['-loop', '1', '-framerate', String(frameRate)]
const looped = ['-stream_loop', '-1']

/** Joins the picture to the graph and returns the label of its end. */
export function picture(graph: Graph, composition: Composition): string {
  const { request, size, inputs } = composition
  const fill = `scale=${size.width}:${size.height}:force_original_aspect_ratio=increase,crop=${size.width}:${size.height},setsar=1`
  graph.chain(inputs.firstFrame ? `[${graph.input(still, inputs.firstFrame)}:v]${fill},format=yuv420p[v0]` : pattern(graph, request, size))
  let top = 'v0'
  if (inputs.lastFrame) {
    const { duration_seconds: seconds } = request
    const fade = `fade=t=in:st=${seconds * 0.5}:d=${seconds * 0.4}:alpha=1`
    graph.chain(`[${graph.input(still, inputs.lastFrame)}:v]${fill},format=yuva420p,${fade}[last]`)
    graph.chain(`[${top}][last]overlay[v1]`)
    top = 'v1'
  }
  const tiles = [...inputs.images.map(path => [path, still] as const), ...inputs.videos.map(path => [path, looped] as const)]
  for (const [index, [path, options]] of tiles.entries()) {
    const { x, y, width, height } = tilePlace(index, tiles.length, size)
    const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=${frameRate}`
    graph.chain(`[${graph.input(options, path)}:v]${fit},format=yuv420p[tile${index}]`)
    graph.chain(`[${top}][tile${index}]overlay=x=${x}:y=${y}[over${index}]`)
    top = `over${index}`
  }
  graph.chain(`[${top}]${captions(composition)},format=yuv420p[picture]`)
  return '[picture]'
}

/** A moving test pattern, its colours turned by prompt and seed so that two requests don't look alike. */
function pattern(graph: Graph, { prompt, seed }: GenerationRequest, { width, height }: FrameSize): string {
  const turn = Number(Bun.hash.xxHash32(`${seed ?? 0}:${prompt}`)) % 360
  const source = graph.input(['-f', 'lavfi'], `testsrc2=size=${width}x${height}:rate=${frameRate}`)
  return `[${source}:v]hue=h=${turn},setsar=1,format=yuv420p[v0]`
}

/** Tiles fill rows from the top left, at least four and at most ten a row, in the frame's own ratio. */
export function tilePlace(
  index: number,
  count: number,
  { width, height }: FrameSize,
): { x: number; y: number; width: number; height: number } {
  const columns = Math.min(10, Math.max(4, count))
  const tile = { width: Math.floor(width / columns / 2) * 2, height: Math.floor(height / columns / 2) * 2 }
  return { x: (index % columns) * tile.width, y: Math.floor(index / columns) * tile.height, ...tile }
}

/** The prompt along the bottom (panned to its end where it is longer than the frame), a clock, and the watermark where it was asked for. */
function captions({ request, size, font, promptFile }: Composition): string {
  const points = Math.max(14, Math.round(Math.min(size.width, size.height) / 20))
  const look = `fontfile=${font}:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=${Math.round(points / 3)}`
  const pan = `${points}-max(0\\,text_w-w+${points * 2})*t/${request.duration_seconds}`
  const texts = [
    `drawtext=${look}:fontsize=${points}:textfile=${promptFile}:expansion=none:x=${pan}:y=h-${points * 2}`,
    `drawtext=${look}:fontsize=${points}:text='%{pts\\:hms}':x=w-text_w-${points}:y=h-${points * 4}`,
  ]
  if (request.watermark) texts.push(`drawtext=${look}:fontsize=${points}:text='Filmgate simulator':x=w-text_w-${points}:y=${points}`)
  return texts.join(',')
}
