import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { TaskRecorded } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode, topics } from '@filmgate/proto/topics'
import { insertRestored, type RestoredTask } from './restored-task-repository'

/**
 * Makes the tasks again that a restored database lacks, each bound to its Idempotency-Key, so that a retry finds it and is charged once. Tasks
 * that are there stay as they are.
 */
export const restoreTasks = (sql: Sql, recorded: TaskRecorded[]): Promise<void> => insertRestored(sql, recorded.flatMap(rowOf))

function rowOf({ request, open }: TaskRecorded): RestoredTask[] {
  const order = request?.order
  if (!request || !order?.createdAt || !order.admitBy) return []
  return [
    {
      ...{ id: order.taskId, accountId: order.accountId, keyId: order.keyId, surface: order.surface === Surface.WEB ? 'web' : 'api' },
      ...{ idempotencyKey: request.idempotencyKey, fingerprint: hexOf(request.fingerprint) },
      ...{ prompt: order.prompt || null, model: order.model, mode: order.mode, resolution: order.resolution },
      ...{ billedSeconds: order.billedSeconds, priceVersion: order.priceVersion },
      tags: Object.keys(request.tags).length > 0 ? request.tags : null,
      ...{ createdAt: timestampDate(order.createdAt), admitBy: timestampDate(order.admitBy) },
      event: open ? hexOf(encode(topics.requests.schema, { event: { case: 'generationRequested', value: request } })) : null,
    },
  ]
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
