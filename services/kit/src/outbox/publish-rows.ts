import { type Bus, isMessagesFault, isTopicsFault, type Outgoing } from '../bus/bus'
import type { Log } from '../telemetry/log'
import { counter } from '../telemetry/metrics'
import type { OutboxRow } from './outbox-repository'

const refusals = counter('outbox_refused', 'Events that the broker refused to take')

export type PublishDeps = { bus: Pick<Bus, 'publish'>; log: Log }
/** Ids of what the broker has, and of what it refused. */
export type Answered = { taken: string[]; refused: string[] }

/**
 * Publishes rows together or, where one of them is at fault, topic by topic, and those of a faulty topic one by one. A topic that is itself
 * refused is asked for once: it is added to `refusedTopics`, and what is there already is not sent. Throws where the broker does not answer.
 */
export async function publishRows(deps: PublishDeps, rows: OutboxRow[], refusedTopics = new Set<string>()): Promise<Answered> {
  const open = rows.filter(({ topic }) => !refusedTopics.has(topic))
  const skipped = rows.filter(({ topic }) => refusedTopics.has(topic)).map(({ id }) => id)
  if ((await publishTogether(deps, open)) === undefined) return { taken: open.map(({ id }) => id), refused: skipped }
  const refused = new Set(skipped)
  for (const [topic, ofTopic] of Map.groupBy(open, row => row.topic))
    for (const id of await publishTopic(deps, topic, ofTopic, refusedTopics)) refused.add(id)
  return { taken: rows.map(({ id }) => id).filter(id => !refused.has(id)), refused: [...refused] }
}

/** Returns the ids of those refused, and says so in one line. */
async function publishTopic(deps: PublishDeps, topic: string, rows: OutboxRow[], refusedTopics: Set<string>): Promise<string[]> {
  const fault = await publishTogether(deps, rows)
  if (fault === undefined) return []
  let refused = rows
  let cause = fault
  if (isTopicsFault(fault)) refusedTopics.add(topic)
  else {
    refused = []
    for (const row of rows) {
      const own = await publishTogether(deps, [row])
      if (own === undefined) continue
      refused.push(row)
      cause = own
    }
  }
  if (refused.length === 0) return []
  const last = refused.at(-1)
  refusals.add(refused.length)
  deps.log.error({ err: cause, topic, events: refused.length, event: last?.id, bytes: last?.value.length }, 'events rejected by the broker')
  return refused.map(({ id }) => id)
}

/** What the broker has against these rows, undefined where it has taken them. */
async function publishTogether({ bus }: PublishDeps, rows: OutboxRow[]): Promise<unknown> {
  try {
    if (rows.length > 0) await bus.publish(rows.map(toOutgoing))
    return undefined
  } catch (error) {
    if (!isMessagesFault(error)) throw error
    return error
  }
}

const toOutgoing = ({ id, topic, key, value, headers }: OutboxRow): Outgoing => ({ topic, key, value, eventId: id, headers })
