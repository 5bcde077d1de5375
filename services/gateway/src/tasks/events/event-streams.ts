import { Failure } from '@filmgate/kit/failure'
import { counter, gauge } from '@filmgate/kit/telemetry/metrics'
import type { Reason } from '../../errors'

const refused = counter('event_streams_refused', 'Event streams that were refused because too many were held', { by: ['key', 'replica'] })

/** A replica remembers a key for 3 s: with this a stream ends within 5 s of its key. */
const confirmEveryMs = 1_000
/** A client resumes where it was. It bounds how long a connection is kept for a client that is gone without a word. */
const heldMsMax = 600_000
const retryAfterSeconds = 10

export type HeldStream = {
  /** Aborted when the client leaves, its key ends, it was held for long enough, or the replica drains. */
  signal: AbortSignal
  /** Gives its place to another. */
  close(): void
}

export type EventStreams = {
  /** 429 where the key holds as many as it may, 503 where the replica does. `confirm` rejects once the key has ended. */
  open(keyId: string, holding: { confirm(): Promise<void>; signal: AbortSignal }): HeldStream
  /** Ends all in so many ms and takes no more then: their clients resume at another replica, once balancers send them to no other. */
  endIn(ms: number): Promise<void>
  stop(): Promise<void>
}

type Held = { keyId: string; until: number; confirm(): Promise<void>; end(): void }

/** The event streams that this replica holds: how many, and for how long. */
export function createEventStreams({ streamsMax, streamsPerKeyMax }: { streamsMax: number; streamsPerKeyMax: number }): EventStreams {
  const held = new Set<Held>()
  let draining = false
  const ofKey = new Map<string, number>()
  gauge('event_streams_held', 'Event streams that are held', () => held.size)
  gauge('event_streams_max', 'Event streams that may be held', () => streamsMax)

  const timer = setInterval(() => {
    const now = performance.now()
    for (const stream of held) {
      if (stream.until <= now) stream.end()
      else
        stream.confirm().catch(error => {
          // A database that does not answer says nothing of the key.
          if (error instanceof Failure && error.reason === 'invalid_api_key') stream.end()
        })
    }
  }, confirmEveryMs)

  return {
    open(keyId, { confirm, signal }) {
      const own = ofKey.get(keyId) ?? 0
      if (own >= streamsPerKeyMax) {
        refused.add(1, { by: 'key' })
        const message = `This key follows ${streamsPerKeyMax} tasks already. Read the events as JSON, or end another stream.`
        throw new Failure<Reason>('rate_limited', { message, details: { limit: 'event_streams' }, retryAfterSeconds })
      }
      if (draining || held.size >= streamsMax) {
        refused.add(1, { by: 'replica' })
        throw new Failure<Reason>('service_unavailable', { retryAfterSeconds })
      }
      const ending = new AbortController()
      const stream: Held = { keyId, until: performance.now() + heldMsMax, confirm, end: () => ending.abort() }
      const close = () => {
        if (!held.delete(stream)) return
        const left = (ofKey.get(keyId) ?? 1) - 1
        if (left > 0) ofKey.set(keyId, left)
        else ofKey.delete(keyId)
      }
      held.add(stream)
      ofKey.set(keyId, own + 1)
      ending.signal.addEventListener('abort', close, { once: true })
      signal.addEventListener('abort', stream.end, { once: true })
      // A signal that was aborted earlier fires no event.
      if (signal.aborted) stream.end()
      return { signal: ending.signal, close }
    },
    async endIn(ms) {
      await Bun.sleep(ms)
      draining = true
      for (const stream of held) stream.end()
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
