import type { Log } from '../../telemetry/log'
import { counter, gauge, late } from '../../telemetry/metrics'
import { causeOf } from './fault'

const retried = counter('bus_batches_retried', 'Batches tried again after a failure that is not known to be the messages’ own', {
  group: late,
})

/** Group → each cause that has held it, and whether it does now: a series that is no longer observed would keep its last value. */
const holding = new Map<string, Map<string, boolean>>()
gauge('bus_consumer_held', '1 while a consumer tries the same messages again and sets none aside, by what it fails with', () =>
  [...holding].flatMap(([group, causes]) => [...causes].map(([cause, holds]) => ({ value: holds ? 1 : 0, attributes: { group, cause } }))),
)

export type Hold = {
  /** The tries that failed one after the other, this one included. */
  failed(error: unknown, messages: number): number
  passed(): void
}

/** Tells operators whether a group of consumers stands still, and why. */
export function createHold(group: string, log: Log): Hold {
  let tries = 0
  const causes = new Map([['none', false]])
  const release = () => {
    for (const cause of causes.keys()) causes.set(cause, false)
  }
  holding.set(group, causes)
  retried.declare({ group: [group] })
  return {
    failed(error, messages) {
      tries += 1
      retried.add(1, { group })
      release()
      causes.set(causeOf(error), true)
      log.warn({ err: error, group, messages, tries }, 'consumer paused on a temporary fault, retrying')
      return tries
    },
    passed() {
      if (tries > 0) log.info({ group, tries }, 'consumer resumed')
      tries = 0
      release()
    },
  }
}
