import type { Bus, Consumer, Incoming } from '@filmgate/kit/bus'
import type { Log } from '@filmgate/kit/log'
import { waitForMigrations } from '@filmgate/kit/migrate'
import type { Sql } from '@filmgate/kit/postgres'
import { groupName } from '@filmgate/proto/groups'
import { topicName } from '@filmgate/proto/topics'
import { type AuditWhenDue, auditWhenDue, forgetOldAudits } from './audit/audit-when-due'
import { handleEvents } from './batch/handle-events'
import type { Instruction } from './batch/instruction'
import type { PostDeps } from './batch/post'
import type { Config } from './config'
import { readGeneration, readMedia, readRequest } from './event/read-event'
import { every, type Repeating } from './every'
import { migrationsFolder } from './migrations'
import { sweepRefunds } from './reservation/complete-refunds'
import { forgetDeclined } from './reservation/forget-declined'

export type PostingDeps = PostDeps & { sql: Sql; bus: Pick<Bus, 'consume'>; log: Log }
export type PostingConfig = Pick<Config, 'topicPrefix' | 'refundSweepEveryMs'> & AuditWhenDue

export type Posting = {
  migrated(): boolean
  joined(): boolean
  stop(): Promise<void>
}

/** A client waits for its reservation, and nobody for a verdict's entries; most of what makers say moves no credits. */
const verdictsRestMs = 100
const forgetEveryMs = 600_000
const auditLookEveryMs = 30_000

/** Once the tables are there: consumes what asks for credits, and what makers and media decide about them, and does what is due by the clock. */
export function startPosting(deps: PostingDeps, config: PostingConfig): Posting {
  const { sql, bus, log } = deps
  const stopping = new AbortController()
  let consumers: Consumer[] = []
  let repeating: Repeating[] = []

  async function start(): Promise<void> {
    if (!(await waitForMigrations({ sql, folder: migrationsFolder, log, signal: stopping.signal }))) return
    const handle = (messages: Incoming<Instruction | undefined>[]) => handleEvents(deps, messages)
    const { topicPrefix } = config
    consumers = [
      bus.consume({ group: groupName(topicPrefix, 'ledger'), topics: { [topicName(topicPrefix, 'requests')]: readRequest }, handle }),
      bus.consume({
        group: groupName(topicPrefix, 'ledgerVerdicts'),
        topics: { [topicName(topicPrefix, 'media')]: readMedia, [topicName(topicPrefix, 'generations')]: readGeneration },
        handle,
        restMs: verdictsRestMs,
      }),
    ]
    repeating = [
      every(config.refundSweepEveryMs, () => sweepRefunds(deps), { log, name: 'completing refunds' }),
      every(forgetEveryMs, () => forgetDeclined(deps), { log, name: 'forgetting refusals' }),
      every(forgetEveryMs, () => forgetOldAudits(sql), { log, name: 'forgetting audits' }),
    ]
    if (config.auditEveryMs > 0) repeating.push(every(auditLookEveryMs, () => auditWhenDue(deps, config), { log, name: 'auditing' }))
  }

  const starting = start()
  return {
    migrated: () => consumers.length > 0,
    joined: () => consumers.length > 0 && consumers.every(consumer => consumer.joined()),
    async stop() {
      stopping.abort()
      await starting
      await Promise.all([...repeating.map(one => one.stop()), ...consumers.map(one => one.stop())])
    },
  }
}
