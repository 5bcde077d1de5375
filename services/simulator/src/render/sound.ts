import type { Composition } from './composition'
import type { Graph } from './graph'

/** Low notes a prompt may get; the prompt chooses. */
const notesHz = [196, 220, 247, 262, 294, 330, 349, 392]

/** Joins the sound to the graph: a note where audio was asked for, and every reference audio. Undefined where the request has neither. */
export function sound(graph: Graph, { request, inputs }: Composition): string | undefined {
  const sources: string[] = []
  const seconds = request.duration_seconds
  if (request.generate_audio) {
    const note = notesHz[Number(Bun.hash.xxHash32(request.prompt)) % notesHz.length]
    sources.push(`[${graph.input(['-f', 'lavfi'], `sine=frequency=${note}:sample_rate=44100:duration=${seconds}`)}:a]`)
  }
  for (const path of inputs.audios) sources.push(`[${graph.input([], path)}:a]`)
  if (sources.length === 0) return undefined
  for (const [index, source] of sources.entries())
    graph.chain(`${source}aresample=44100,aformat=channel_layouts=stereo,apad,atrim=duration=${seconds}[a${index}]`)
  graph.chain(`${sources.map((_, index) => `[a${index}]`).join('')}amix=inputs=${sources.length}:duration=longest[sound]`)
  return '[sound]'
}
