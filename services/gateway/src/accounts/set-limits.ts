import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { words } from '@filmgate/kit/request/text'
import { type Static, Type } from '@sinclair/typebox'
import { insertAuditEntry } from '../audit-log/audit-repository'
import { limitsMessage } from './account-message'
import { type AccountLimits, updateLimits } from './account-repository'
import { lockOpenAccount } from './lock-open-account'

const limit = (maximum: number) => Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Null()]))

/** Null: the service's setting holds again. What is left out stays. */
export const LimitsBody = Type.Object(
  { requests_a_minute: limit(100_000), unfinished_tasks_max: limit(10_000), reason: words(200) },
  { additionalProperties: false },
)

export type SetLimitsDeps = { outbox: Outbox; topicPrefix: string; now(): Date }
type SetLimitsInput = { accountId: string; limits: Static<typeof LimitsBody>; operator: string }

/** Replicas follow within 5 s, as they forget a key. The ledger decides about unfinished tasks, and is told by an event. */
export const setLimits = ({ outbox, topicPrefix, now }: SetLimitsDeps, { accountId, limits, operator }: SetLimitsInput) =>
  outbox.transaction<AccountLimits>(async (sql, send) => {
    await lockOpenAccount(sql, accountId)
    const { requests_a_minute: requestsAMinute, unfinished_tasks_max: unfinishedTasksMax, reason } = limits
    const { version, ...set } = await updateLimits(sql, accountId, { requestsAMinute, unfinishedTasksMax })
    send([limitsMessage(topicPrefix, { accountId, version, at: now(), unfinishedTasksMax: set.unfinishedTasksMax })])
    const subject = `requests ${set.requestsAMinute ?? 'default'}, unfinished ${set.unfinishedTasksMax ?? 'default'}: ${reason}`
    await insertAuditEntry(sql, { operator, act: 'limits_set', accountId, subject })
    return set
  })
