import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBatch } from '@filmgate/kit/batch'
import { withDeadline } from '@filmgate/kit/deadline'
import { invariant } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox'
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

type Written = Draft & { traceparent: string | undefined }

/** Writes drafts and their events; those of one moment share a transaction. A key of which two drafts come at once makes one task. */
export function createAccept({ outbox, topicPrefix }: { outbox: Outbox; topicPrefix: string }): (draft: Draft) => Promise<Accepted> {
  const topic = topicName(topicPrefix, 'requests')

  async function write(drafts: Written[]): Promise<Accepted[]> {
    return outbox.transaction(async (sql, send) => {
      const inserted = await insertTasks(
        sql,
        drafts.map(draft => draft.task),
      )
      const late = drafts.filter(draft => !inserted.has(draft.task.id))
      const bound =
        late.length > 0
          ? await findBound(
              sql,
              late.map(draft => draft.task),
            )
          : []
      const byScope = new Map(bound.map(task => [scopeOf(task), task]))
      send(
        drafts
          .filter(draft => inserted.has(draft.task.id))
          .map(draft => ({ topic, key: draft.task.accountId, value: requested(draft), traceparent: draft.traceparent })),
      )
      return drafts.map((draft): Accepted => {
        if (inserted.has(draft.task.id)) return { fresh: true }
        const task = byScope.get(scopeOf(draft.task))
        invariant(task, 'a key that conflicts is bound')
        return { fresh: false, bound: task }
      })
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
