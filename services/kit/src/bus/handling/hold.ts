import type { Log } from '../../telemetry/log'
import { counter, gauge, late } from '../../telemetry/metrics'
import { causeOf } from './fault'

const retried = counter('bus_batches_retried', 'Batches tried again after a failure that is not known to be the messages’ own', {
  group: late,
})

/** Group → what holds it, undefined where nothing does. */
const holding = new Map<string, string | undefined>()
gauge('bus_consumer_held', '1 while a consumer tries the same messages again and sets none aside, by what it fails with', () =>
  [...holding].map(([group, cause]) => ({ value: cause === undefined ? 0 : 1, attributes: { group, cause: cause ?? 'none' } })),
)

export type Hold = {
  /** The tries that failed one after the other, this one included. */
  failed(error: unknown, messages: number): number
  passed(): void
}

/** Tells operators whether a group of consumers stands still, and why. */
export function createHold(group: string, log: Log): Hold {
  let tries = 0
  holding.set(group, undefined)
  retried.declare({ group: [group] })
  return {
    failed(error, messages) {
      tries += 1
      retried.add(1, { group })
      holding.set(group, causeOf(error))
      log.warn({ err: error, group, messages, tries }, 'consumer paused on a temporary fault, retrying')
      return tries
    },
    passed() {
      if (tries > 0) log.info({ group, tries }, 'consumer resumed')
      tries = 0
      holding.set(group, undefined)
    },
  }
}
