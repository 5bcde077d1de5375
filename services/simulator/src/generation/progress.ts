import { pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { find, has } from '../behaviour/behaviour'
import { type Generation, type GenerationError, isFinished, type Status } from './generation'
import type { GenerationStore } from './generation-store'

export type ProgressDeps = {
  store: GenerationStore
  /** Makes the file of one generation; throws InputUnreachable or anything else where it can't. */
  render: (generation: Generation, signal: AbortSignal) => Promise<void>
  notify: (generation: Generation) => void
  rendersMax: number
  log: Pick<Log, 'error'>
}

export class InputUnreachable extends Error {
  override name = 'InputUnreachable'
}

export type Progress = { start(generation: Generation): void; release(id: string): void; stop(): Promise<void>; waiting(): number }

/** Takes accepted generations to their end, `rendersMax` at a time, oldest first. */
export function createProgress({ store, render, notify, rendersMax, log }: ProgressDeps): Progress {
  const stopping = new AbortController()
  const held = new Map<string, AbortController>()
  const queue: Generation[] = []
  const rendering = new Set<Promise<void>>()

  const isCancelled = (id: string): boolean => store.find(id)?.status === 'cancelled'

  function finish(id: string, status: Status, error: GenerationError | null = null): void {
    if (isCancelled(id)) return
    notify(store.transition(id, status, error))
  }

  /** Renders while there is room; each end makes room for the next. */
  function pump(): void {
    while (rendering.size < rendersMax && queue.length > 0 && !stopping.signal.aborted) {
      const generation = queue.shift()
      if (!generation) return
      const work = renderOne(generation).finally(() => {
        rendering.delete(work)
        pump()
      })
      rendering.add(work)
    }
  }

  async function renderOne(generation: Generation): Promise<void> {
    if (isCancelled(generation.id)) return
    try {
      if (generation.status === 'queued') store.transition(generation.id, 'running')
      await render(generation, stopping.signal)
      if (!stopping.signal.aborted) finish(generation.id, 'succeeded')
    } catch (error) {
      // What a stop cut off is rendered again at the next start.
      if (stopping.signal.aborted) return
      log.error({ err: error, generation: generation.id }, 'render failed')
      const unreachable = error instanceof InputUnreachable
      finish(generation.id, 'failed', {
        code: unreachable ? 'input_unreachable' : 'generation_failed',
        message: unreachable ? error.message : 'The render failed.',
      })
    }
  }

  /** Waits `ms` (null: for ever) or until released; false where it is cancelled or the process stops first. */
  async function hold(generation: Generation, ms: number | null, status: Status = 'running'): Promise<boolean> {
    if (generation.status === 'queued' && status === 'running') store.transition(generation.id, status)
    const release = new AbortController()
    held.set(generation.id, release)
    const either = AbortSignal.any([release.signal, stopping.signal])
    if (ms !== null) await pause(ms, either)
    else await new Promise<void>(resolve => either.addEventListener('abort', () => resolve(), { once: true }))
    held.delete(generation.id)
    return !stopping.signal.aborted && !isCancelled(generation.id)
  }

  async function advance(generation: Generation): Promise<void> {
    const { id, behaviours } = generation
    const queued = find(behaviours, 'stays_queued')
    if (queued && !(await hold(generation, queued.delay_ms ?? 30_000, 'queued'))) return
    const failing = find(behaviours, 'fails_after_accept') ?? find(behaviours, 'moderated')
    if (failing) {
      if (!(await hold(generation, failing.delay_ms ?? 0))) return
      if (failing.name === 'moderated')
        return finish(id, 'failed', { code: 'output_moderated', message: 'The output was withheld by the content rules.' })
      return finish(id, 'failed', { code: 'generation_failed', message: 'The generation failed.' })
    }
    const slow = find(behaviours, 'slow')
    if (slow && !(await hold(generation, slow.delay_ms ?? 30_000))) return
    if (has(behaviours, 'never_finishes') && !(await hold(generation, null))) return
    if (has(behaviours, 'instant')) return finish(id, 'succeeded')
    queue.push(generation)
    pump()
  }

  return {
    start(generation) {
      if (isFinished(generation)) return
      advance(generation).catch(error => log.error({ err: error, generation: generation.id }, 'generation stuck'))
    },
    release(id) {
      store.release(id)
      held.get(id)?.abort()
    },
    waiting: () => queue.length,
    async stop() {
      stopping.abort()
      await Promise.allSettled(rendering)
    },
  }
}
