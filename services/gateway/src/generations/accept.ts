import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'
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

/** What a checked request becomes: a task row and the order that travels down the line. */
export type Draft = { task: NewTask; order: OrderOfRequest }

/** A new task, or the one that this Idempotency-Key is bound to already. */
export type Accepted = { fresh: true } | { fresh: false; bound: Task }

export type AcceptDeps = { sql: Sql; outbox: Outbox; topicPrefix: string }

type Written = Draft & { traceparent: string | undefined }

/** Writes drafts and their events; those of one moment share a statement. A key of which two drafts come at once makes one task. */
export function createAccept({ sql, outbox, topicPrefix }: AcceptDeps): (draft: Draft) => Promise<Accepted> {
  const topic = topicName(topicPrefix, 'requests')

  async function write(drafts: Written[]): Promise<Accepted[]> {
    const tasks = drafts.map(draft => draft.task)
    const events = drafts.map(draft => {
      return { subject: draft.task.id, topic, key: draft.task.accountId, value: requested(draft), traceparent: draft.traceparent }
    })
    const fresh = await outbox.statement(events, (sql, insertion) => insertTasks(sql, tasks, insertion))
    const late = tasks.filter(task => !fresh.has(task.id))
    // A twin's row is committed by now: its conflict was waited for.
    const bound = late.length > 0 ? await findBound(sql, late) : []
    const byScope = new Map(bound.map(task => [scopeOf(task), task]))
    return tasks.map((task): Accepted => {
      if (fresh.has(task.id)) return { fresh: true }
      const other = byScope.get(scopeOf(task))
      invariant(other, 'a key that conflicts is bound')
      return { fresh: false, bound: other }
    })
  }

  const batch = createBatch<Written, Accepted>(write)
  return draft => withDeadline(batch({ ...draft, traceparent: traceparent() }), writeTimeoutMs, 'the database')
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
