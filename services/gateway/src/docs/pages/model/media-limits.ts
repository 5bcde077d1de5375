import type { ModelCard, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { modelView } from '../../../models/model-view'

/** "Each image: jpeg, png, webp; at most 30 MiB; width 256 to 5760 px; …" for each kind of file that a mode takes. */
export function mediaLimits(card: ModelCard, mode: ModelMode): string[] {
  const limits = Object.entries(modelView(card, false).modes[mode.name]?.media_limits ?? {})
  return limits.map(([kind, limit]) => `${kindWords[kind] ?? kind}: ${limitWords(limit)}`)
}

const kindWords: Record<string, string> = {
  image: 'Each image',
  video: 'Each video',
  audio: 'Each audio file',
  total_bytes_max: 'All files together',
}

function limitWords(limit: unknown): string {
  if (typeof limit === 'number') return mebibytes(limit)
  const limits = limit as Record<string, number | undefined> & { formats: string[] }
  const ranges = Object.entries(rangeUnits).flatMap(([name, unit]) => {
    const [min, max] = [limits[`${name}_min`], limits[`${name}_max`]]
    return min === undefined && max === undefined ? [] : [`${name.replace('_', ' ')} ${min} to ${max}${unit}`]
  })
  const together = limits.seconds_total_max ? [`${limits.seconds_total_max} s together`] : []
  return [limits.formats.join(', '), `at most ${mebibytes(limits.bytes_max ?? 0)}`, ...ranges, ...together].join('; ')
}

const rangeUnits = { width: ' px', height: ' px', ratio: '', frame_rate: ' frames a second', seconds: ' s' }
const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`
