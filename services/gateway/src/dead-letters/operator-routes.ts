import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { DeadLetter, Discard, DiscardedLetter, LetterCount, Replay as Replayed } from '@filmgate/proto/operator/bus'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { pageSize, words as queryWords, readQuery } from '../paging/read-query'
import type { DeadLetters, LetterFilter } from './dead-letters'

export type DeadLetterRouteDeps = { deadLetters: DeadLetters; log: Log }

/** More of a topic is listed, replayed and discarded a portion after another. */
const lettersMax = 500

const Removal = Type.Object(
  {
    topic: words(250),
    event: Type.Optional(words(200)),
    group: Type.Optional(words(250)),
    limit: Type.Integer({ minimum: 1, maximum: lettersMax }),
    reason: words(500),
    by: By,
  },
  { additionalProperties: false },
)

/** What is discarded is gone for every service, so nobody does that to a whole topic by leaving a field out. */
const unnamed = { path: 'event', rule: 'required', message: 'event or group must say which letters to discard' }

/** What was set aside, by topic, and how it is sent back or discarded; the same as `ops dlq`. */
export const deadLetterRoutes = ({ deadLetters, log }: DeadLetterRouteDeps) =>
  new Elysia({ normalize: false })
    .get('/dead-letters/counts', async function getCounts(): Promise<Listed<LetterCount>> {
      return { data: await brokers(deadLetters.count()) }
    })
    .get('/dead-letters', async function getLetters({ request }): Promise<Listed<DeadLetter>> {
      const query = readQuery(request.url, {
        topic: queryWords(250),
        event: queryWords(200),
        group: queryWords(250),
        limit: pageSize(100, lettersMax),
      })
      return { data: await brokers(deadLetters.list(filterOf(deadLetters, query))) }
    })
    .post(
      '/dead-letters/replay',
      async function postReplay({ request }): Promise<Replayed> {
        const { reason, by, ...body } = await readJsonAs(Removal, request)
        const asked = { ...filterOf(deadLetters, body), by: operatorName(request, by) }
        const done = await brokers(deadLetters.replay(asked))
        const { replayed, copies, refused } = done
        log.warn({ ...asked, reason, replayed, copies, refused: refused.length }, 'an operator sent dead letters back')
        return done
      },
      needsRole('support', Removal),
    )
    .post(
      '/dead-letters/discard',
      async function postDiscard({ request }): Promise<Discard> {
        const { reason, by, ...body } = await readJsonAs(Removal, request)
        if (!body.event && !body.group) throw new Failure<Reason>('invalid_request', { details: { issues: [unnamed] } })
        const asked = { ...filterOf(deadLetters, body), reason, by: operatorName(request, by) }
        const done = await brokers(deadLetters.discard(asked))
        log.warn({ ...asked, ...done }, 'an operator discarded dead letters')
        return done
      },
      needsRole('support', Removal),
    )
    .get('/dead-letters/discarded', async function getDiscarded({ request }): Promise<Listed<DiscardedLetter>> {
      const { limit } = readQuery(request.url, { limit: pageSize(100, lettersMax) })
      return { data: await deadLetters.listDiscarded(limit) }
    })

type FilterInput = Pick<Static<typeof Removal>, 'limit'> & { topic: string | null; event?: string | null; group?: string | null }

const filterOf = (deadLetters: DeadLetters, { topic, event, group, limit }: FilterInput): LetterFilter => ({
  topic: known(deadLetters, topic),
  eventId: event ?? undefined,
  group: group ?? undefined,
  limit,
})

function known({ topics }: DeadLetters, topic: string | null): string {
  const found = topics.find(one => one === topic)
  if (found !== undefined) return found
  const message = `topic must be one of ${topics.join(', ')}`
  throw new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'topic', rule: 'enum', message }] } })
}

/** What the broker does not answer is over soon; one letter among too many that were sent back singly is not. */
async function brokers<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && error.name === 'TooManyGaps')
      throw new Failure<Reason>('invalid_request', {
        message: `${error.message}: replay the whole topic, oldest first, before single ones.`,
      })
    throw new Failure<Reason>('service_unavailable', {
      message: 'The broker gives no answer, or another replay of this topic is under way. Try again in a minute.',
      cause: error,
    })
  }
}
