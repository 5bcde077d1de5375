import { type Behaviour, find, has } from '../behaviour/behaviour'
import { refuse } from '../errors'
import type { Generation } from './generation'
import type { GenerationStore } from './generation-store'
import type { View } from './view'

export type ReadDeps = {
  store: GenerationStore
  now: () => number
  reads: Reads
  view: View
  /** Base of output URLs. Of the reader, not of the submit: a simulator may come back elsewhere. */
  origin: string
}

/** How often each generation was asked for, for behaviours that pass with time. Kept in memory only. */
export type Reads = { next(generation: Generation, what: What): number; count(generation: Generation, what: What): number }
/** `address`: where its output is was told. */
type What = 'status' | 'finished' | 'look-up' | 'address' | 'output'

export function countReads(): Reads {
  const counts = new WeakMap<Generation, Map<string, number>>()
  return {
    next(generation, what) {
      const own = counts.get(generation) ?? new Map<string, number>()
      counts.set(generation, own)
      own.set(what, (own.get(what) ?? 0) + 1)
      return own.get(what) ?? 0
    },
    count: (generation, what) => counts.get(generation)?.get(what) ?? 0,
  }
}

export type GenerationView = {
  id: string
  client_task_id: string | null
  status: string
  created_at: string
  updated_at: string
  queue_position?: number
  progress?: number
  output_url?: string
  error?: { code: string; message: string }
}

/** One generation by its own id. */
export function read(deps: ReadDeps, id: string): GenerationView {
  const generation = deps.store.find(id)
  if (!generation || !isVisible(deps, generation)) throw refuse('not_found')
  return polled(deps, generation)
}

/** Several by their own ids; unknown ones are left out. */
export function readMany(deps: ReadDeps, ids: string[]): GenerationView[] {
  return ids
    .flatMap(id => deps.store.find(id) ?? [])
    .filter(generation => isVisible(deps, generation))
    .map(generation => polled(deps, generation))
}

/** By the caller's id: none or one. */
export function lookUp(deps: ReadDeps, clientTaskId: string): GenerationView[] {
  const generation = deps.store.findByClientTaskId(clientTaskId)
  if (!generation || !isVisible(deps, generation)) return []
  const broken = find(generation.behaviours, 'lookup_500')
  if (broken && deps.reads.next(generation, 'look-up') <= (broken.times ?? 3)) throw refuse('internal_error')
  const lags = find(generation.behaviours, 'lookup_lags')
  if (lags && deps.now() < generation.acceptedAt + (lags.delay_ms ?? 10_000)) return []
  return [polled(deps, generation)]
}

/** Whether a caller is shown it now: by what all callers are shown, and by what was asked for this one. */
export function isVisible({ view, now }: Pick<ReadDeps, 'view' | 'now'>, { behaviours, acceptedAt }: Generation): boolean {
  const vanishes = find(behaviours, 'vanishes')
  return view.shows(acceptedAt) && !(vanishes && now() >= acceptedAt + (vanishes.delay_ms ?? 0))
}

function polled(deps: ReadDeps, generation: Generation): GenerationView {
  const { reads, origin } = deps
  const nth = reads.next(generation, 'status')
  const broken = find(generation.behaviours, 'read_500')
  if (broken && nth <= (broken.times ?? 3)) throw refuse('internal_error')
  const unknown = find(generation.behaviours, 'unknown_status')
  if (unknown && nth <= (unknown.times ?? 3))
    return { ...view(generation, origin), status: 'warming_up', output_url: undefined, error: undefined }
  if (generation.status === 'succeeded' && goesBack(generation.behaviours) && reads.next(generation, 'finished') === 2)
    return { ...view(generation, origin), status: 'running', output_url: undefined }
  if (generation.status === 'queued' || generation.status === 'running')
    return { ...view(generation, origin), ...progressTold(generation.behaviours, nth) }
  const told = view(generation, outputOrigin(deps, generation))
  if (!told.output_url || !has(generation.behaviours, 'output_expired')) return told
  return { ...told, output_url: `${told.output_url}?given=${reads.next(generation, 'address')}` }
}

/** What the nth read of an unfinished one is told. */
function progressTold(behaviours: Behaviour[], nth: number): Partial<GenerationView> {
  const tells = find(behaviours, 'tells_progress')
  if (!tells) return {}
  const { places = 3, step = 10 } = tells
  if (nth <= places) return { status: 'queued', queue_position: places - nth + 1 }
  return { status: 'running', progress: Math.min(99, (nth - places - 1) * step) }
}

/** Where its output is now. */
export function outputOrigin({ now, origin }: Pick<ReadDeps, 'now' | 'origin'>, { behaviours, acceptedAt }: Generation): string {
  const elsewhere = find(behaviours, 'output_elsewhere')
  return elsewhere && now() < acceptedAt + (elsewhere.delay_ms ?? 3_600_000) ? elsewhere.origin : origin
}

const goesBack = (behaviours: Behaviour[]) => has(behaviours, 'completed_then_processing')

/** Without an origin there is no output URL: a callback says only that it is worth asking. */
export function view({ id, clientTaskId, status, acceptedAt, updatedAt, error }: Generation, origin?: string): GenerationView {
  return {
    id,
    client_task_id: clientTaskId,
    status,
    created_at: new Date(acceptedAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    ...(status === 'succeeded' && origin && { output_url: `${origin}/outputs/${id}.mp4` }),
    ...(error && { error }),
  }
}
