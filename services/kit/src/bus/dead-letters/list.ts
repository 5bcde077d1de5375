import { randomUUID } from 'node:crypto'
import type { DeadLetter } from '@filmgate/proto/operator/bus'
import { withKafka } from '../with-kafka'
import { describe } from './letter'
import { type DeadLetterOptions, findWaiting, readLetters } from './read-letters'

/** The letters that wait to be replayed, oldest first a topic. Their bytes are not kept. */
export const listDeadLetters = (options: DeadLetterOptions): Promise<DeadLetter[]> =>
  withKafka(options, async (kafka, admin) => {
    const { limit = Number.POSITIVE_INFINITY } = options
    const groupId = `dead-letters-${randomUUID()}`
    const listed: DeadLetter[] = []
    await readLetters(kafka, groupId, await findWaiting(admin, options.topics), options, async letters => {
      listed.push(...letters.slice(0, limit - listed.length).map(describe))
      return listed.length < limit
    })
    await admin.deleteGroups([groupId]).catch(() => undefined)
    return listed
  })
