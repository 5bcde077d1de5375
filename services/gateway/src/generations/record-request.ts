import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBatch } from '@filmgate/kit/batch'
import type { Sql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { traceparent } from '@filmgate/kit/telemetry/trace'
import { type OrderSchema, Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import type { OrderOfRequest } from '../catalog/order-of'
import type { Task } from '../tasks/task'
import { findBound, insertTasks, type NewTask } from '../tasks/task-repository'

const writeTimeoutMs = 4_000
/** Under load requests are gathered: each statement and each batch of the consumers behind costs something of its own (docs/decisions/0104). */
const gatherMs = 20
const writeTriesMax = 3

/** A checked request with its price: the row of its task, and the order that every service behind the gateway reads. */
export type NewRequest = { task: NewTask; order: OrderOfRequest }

/** A new task, or the one that this Idempotency-Key is bound to already. */
export type Recorded = { fresh: true } | { fresh: false; bound: Task }

/** `leftMs`: what the request has left of its time. */
export type RecordRequest = (request: NewRequest, leftMs?: number) => Promise<Recorded>

export type RecordRequestDeps = {
  sql: Sql
  outbox: Outbox
  topicPrefix: string
  /** How long no event of a task has to come before its request is published again. */
  replayAfterMs: number
}

type TracedRequest = NewRequest & { traceparent: string | undefined }

/** Inserts requests as tasks and events; those of one moment share a statement. Two requests with one key, at once, make one task. */
export function createRecordRequest({ sql, outbox, topicPrefix, replayAfterMs }: RecordRequestDeps): RecordRequest {
  const topic = topicName(topicPrefix, 'requests')

  async function write(requests: TracedRequest[]): Promise<Recorded[]> {
    const recorded = new Map<string, Recorded>()
    // A key can become free again between the conflict and the look at who holds it; that often in a row it does not.
    for (let tries = 1; tries <= writeTriesMax && recorded.size < requests.length; tries++)
      await writeOnce(
        requests.filter(({ task }) => !recorded.has(task.id)),
        recorded,
      )
    return requests.map(({ task }) => {
      const answer = recorded.get(task.id)
      invariant(answer, 'a key that conflicts is bound')
      return answer
    })
  }

  async function writeOnce(requests: TracedRequest[], recorded: Map<string, Recorded>): Promise<void> {
    // Conflicting keys wait for each other: in one order, so that two batches of the same keys can't deadlock.
    requests.sort((a, b) => (scopeOf(a.task) < scopeOf(b.task) ? -1 : 1))
    const tasks = requests.map(({ task }) => task)
    const events = requests.map(request => {
      const { id, accountId, eventId } = request.task
      return { subject: id, topic, key: accountId, value: requested(request), eventId, traceparent: request.traceparent }
    })
    const fresh = await outbox.statement(events, (sql, insertion) => insertTasks(sql, tasks, insertion, replayAfterMs))
    for (const id of fresh) recorded.set(id, { fresh: true })
    const late = tasks.filter(({ id }) => !fresh.has(id))
    if (late.length === 0) return
    // The statement waited for the transaction that it conflicts with, which has committed by now.
    const bound = new Map((await findBound(sql, late)).map(task => [scopeOf(task), task]))
    for (const task of late) {
      const other = bound.get(scopeOf(task))
      if (other) recorded.set(task.id, { fresh: false, bound: other })
    }
  }

  // A statement that hangs keeps its turn; of the requests behind it none is written after its client was answered 503.
  const batch = createBatch<TracedRequest, Recorded>(write, { gatherMs, what: 'the database' })
  return (request, leftMs = writeTimeoutMs) => batch({ ...request, traceparent: traceparent() }, Math.min(leftMs, writeTimeoutMs))
}

const scopeOf = ({ keyId, idempotencyKey }: { keyId: string; idempotencyKey: string }): string => `${keyId} ${idempotencyKey}`

function requested({ task, order }: NewRequest): Uint8Array {
  const whole: MessageInitShape<typeof OrderSchema> = {
    ...order,
    taskId: task.id,
    accountId: task.accountId,
    keyId: task.keyId,
    surface: task.surface === 'web' ? Surface.WEB : Surface.API,
    createdAt: timestampFromDate(task.createdAt),
    admitBy: timestampFromDate(task.admitBy),
  }
  const { idempotencyKey, fingerprint, tags } = task
  const value = { order: whole, idempotencyKey, fingerprint, tags: tags ?? {} }
  return encode(topics.requests.schema, { event: { case: 'generationRequested', value } })
}
