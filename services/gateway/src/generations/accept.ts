import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBatch } from '@filmgate/kit/batch'
import { invariant } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox'
import type { Sql } from '@filmgate/kit/postgres'
import { traceparent } from '@filmgate/kit/trace'
import { type OrderSchema, Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import type { OrderOfRequest } from '../catalog/order-of'
import type { Task } from '../tasks/task'
import { findBound, insertTasks, type NewTask } from '../tasks/task-repository'

const writeTimeoutMs = 4_000
/** Under load POSTs go down the line in waves: each of its turns has a price of its own (docs/decisions/0104). */
const gatherMs = 20
const writeTriesMax = 3

/** What a checked request becomes: a task row and the order that travels down the line. */
export type Draft = { task: NewTask; order: OrderOfRequest }

/** A new task, or the one that this Idempotency-Key is bound to already. */
export type Accepted = { fresh: true } | { fresh: false; bound: Task }

/** `leftMs`: what the request has left of its time. */
export type Accept = (draft: Draft, leftMs?: number) => Promise<Accepted>

export type AcceptDeps = {
  sql: Sql
  outbox: Outbox
  topicPrefix: string
  /** How long nothing has to be heard of a task before its request is told again. */
  retellAfterMs: number
}

type Written = Draft & { traceparent: string | undefined }

/** Writes drafts and their events; those of one moment share a statement. A key of which two drafts come at once makes one task. */
export function createAccept({ sql, outbox, topicPrefix, retellAfterMs }: AcceptDeps): Accept {
  const topic = topicName(topicPrefix, 'requests')

  async function write(drafts: Written[]): Promise<Accepted[]> {
    const accepted = new Map<string, Accepted>()
    // A key can become free again between the conflict and the look at who holds it; that often in a row it does not.
    for (let tries = 1; tries <= writeTriesMax && accepted.size < drafts.length; tries++)
      await writeOnce(
        drafts.filter(({ task }) => !accepted.has(task.id)),
        accepted,
      )
    return drafts.map(({ task }) => {
      const answer = accepted.get(task.id)
      invariant(answer, 'a key that conflicts is bound')
      return answer
    })
  }

  async function writeOnce(drafts: Written[], accepted: Map<string, Accepted>): Promise<void> {
    // Conflicting keys wait for each other: in one order, so that two batches of the same keys can't deadlock.
    drafts.sort((a, b) => (scopeOf(a.task) < scopeOf(b.task) ? -1 : 1))
    const tasks = drafts.map(({ task }) => task)
    const events = drafts.map(draft => {
      const { id, accountId, eventId } = draft.task
      return { subject: id, topic, key: accountId, value: requested(draft), eventId, traceparent: draft.traceparent }
    })
    const fresh = await outbox.statement(events, (sql, insertion) => insertTasks(sql, tasks, insertion, retellAfterMs))
    for (const id of fresh) accepted.set(id, { fresh: true })
    const late = tasks.filter(({ id }) => !fresh.has(id))
    if (late.length === 0) return
    // Whoever made the conflict has committed by now: it was waited for.
    const bound = new Map((await findBound(sql, late)).map(task => [scopeOf(task), task]))
    for (const task of late) {
      const other = bound.get(scopeOf(task))
      if (other) accepted.set(task.id, { fresh: false, bound: other })
    }
  }

  // What hangs keeps its turn: of what waits behind it, nothing is written whose client has been told 503.
  const batch = createBatch<Written, Accepted>(write, { gatherMs, what: 'the database' })
  return (draft, leftMs = writeTimeoutMs) => batch({ ...draft, traceparent: traceparent() }, Math.min(leftMs, writeTimeoutMs))
}

const scopeOf = ({ keyId, idempotencyKey }: { keyId: string; idempotencyKey: string }): string => `${keyId} ${idempotencyKey}`

function requested({ task, order }: Draft): Uint8Array {
  const whole: MessageInitShape<typeof OrderSchema> = {
    ...order,
    taskId: task.id,
    accountId: task.accountId,
    keyId: task.keyId,
    surface: Surface.API,
    createdAt: timestampFromDate(task.createdAt),
    admitBy: timestampFromDate(task.admitBy),
  }
  return encode(topics.requests.schema, { event: { case: 'generationRequested', value: { order: whole } } })
}
