import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { replayedRowsMax, replayPart } from '@filmgate/kit/operator/replay-body'
import { Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { CreditsHeldSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { ReplayPart } from '@filmgate/proto/operator/task'
import { oldestReplayed } from '@filmgate/proto/task-id'
import { decode, encode, topicName, topics } from '@filmgate/proto/topics'
import { limitsMessage, openedMessage } from '../accounts/account-message'
import { budgetMessage } from '../budgets/budget'
import { changeMessage } from '../credit-changes/change-message'
import type { ReplayDeps } from './replay'
import { type HeldTask, listAccountsToReplay, listBudgetsSince, listChangesSince, listHeldSince } from './since-repository'

type Since = { since: Date; after: string }
export type PartName = 'accounts' | 'changes' | 'tasks'

/** Publishes again what was asked of the ledger since a moment: accounts with limits and budgets, then grants and debits, then requests. */
export const replaySince = (deps: ReplayDeps, part: PartName, since: Since): Promise<ReplayPart> => parts[part](deps, since)

const parts: Record<PartName, (deps: ReplayDeps, since: Since) => Promise<ReplayPart>> = {
  accounts: ({ outbox, topicPrefix }, { since, after }) =>
    outbox.transaction(async (sql, send) => {
      const accounts = await listAccountsToReplay(sql, { since, after, rowsMax: replayedRowsMax })
      const ids = accounts.map(({ id }) => id)
      for (const { id: accountId, name, createdAt: at, limitsVersion: version, unfinishedTasksMax } of accounts) {
        send([openedMessage(topicPrefix, { accountId, name, at })])
        if (version > 0) send([limitsMessage(topicPrefix, { accountId, version, at, unfinishedTasksMax })])
      }
      send((await listBudgetsSince(sql, ids, since)).map(budget => budgetMessage(topicPrefix, budget)))
      return replayPart(ids)
    }),
  changes: ({ outbox, topicPrefix }, { since, after }) =>
    outbox.transaction(async (sql, send) => {
      const changes = await listChangesSince(sql, { since, after, rowsMax: replayedRowsMax })
      send(changes.map(change => changeMessage(topicPrefix, change)))
      return replayPart(changes.map(({ id }) => id))
    }),
  tasks: ({ outbox, topicPrefix }, { since, after }) =>
    outbox.transaction(async (sql, send) => {
      const tasks = await listHeldSince(sql, { since, after: after || oldestReplayed(since), rowsMax: replayedRowsMax })
      send(tasks.map(task => ({ topic: topicName(topicPrefix, 'requests'), key: task.accountId, value: heldRequest(task) })))
      return replayPart(tasks.map(({ id }) => id))
    }),
}

/** Its request as it was sent; of a task that has ended, what its row says of it. A ledger that holds the credits answers with its decision. */
function heldRequest(task: HeldTask): Uint8Array {
  const held = { starter: BigInt(task.starter), ended: task.event === null }
  const kept = task.event && decode(topics.requests.schema, task.event).event
  if (kept && kept.case === 'generationRequested')
    return encode(topics.requests.schema, { event: { ...kept, value: { ...kept.value, held: create(CreditsHeldSchema, held) } } })
  const order = {
    ...{ taskId: task.id, accountId: task.accountId, keyId: task.keyId, surface: task.surface === 'web' ? Surface.WEB : Surface.API },
    ...{ model: task.model, mode: task.mode, resolution: task.resolution, billedSeconds: task.billedSeconds },
    ...{ priceVersion: task.priceVersion, credits: BigInt(task.creditsUsed) },
    ...{ createdAt: timestampFromDate(task.createdAt), admitBy: timestampFromDate(task.admitBy) },
  }
  const { idempotencyKey, fingerprint, tags } = task
  const value = { order, idempotencyKey, fingerprint, tags: tags ?? {}, held }
  return encode(topics.requests.schema, { event: { case: 'generationRequested', value } })
}
