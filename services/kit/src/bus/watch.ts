import type { Consumer } from 'kafkajs'

export type WatchOptions = { stalledAfterMs: number; stop: AbortSignal }

export type Watch = {
  /**
   * Begins, and resolves with why the consumer ended: an error, or nothing where it was told to stop. Rejects where it did not begin. Silence
   * counts from the first step: kafkajs can hang in joining, too.
   */
  follow(begin: () => Promise<void>): Promise<unknown>
  close(): void
}

/** kafkajs can hang on a broker that swallows packets, so silence counts as an end. */
export function watch(consumer: Consumer, { stalledAfterMs, stop }: WatchOptions, onJoin: () => void = () => {}): Watch {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  let activeAt = performance.now()
  const active = () => {
    activeAt = performance.now()
  }
  const { HEARTBEAT, FETCH, GROUP_JOIN, CRASH } = consumer.events
  consumer.on(HEARTBEAT, active)
  consumer.on(FETCH, active)
  consumer.on(GROUP_JOIN, () => {
    active()
    onJoin()
  })
  consumer.on(CRASH, event => resolve(event.payload.error))
  const timer = setInterval(() => {
    if (performance.now() - activeAt > stalledAfterMs) resolve(new Error(`no sign of life for ${stalledAfterMs} ms`))
  }, 1_000)
  const stopped = () => resolve(undefined)
  stop.addEventListener('abort', stopped, { once: true })
  return {
    follow(begin) {
      const begun = begin()
      begun.catch(() => {})
      return Promise.race([begun.then(() => promise), promise])
    },
    close() {
      clearInterval(timer)
      stop.removeEventListener('abort', stopped)
      resolve(undefined)
    },
  }
}
