import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { createRecentRequests, type RecentRequests } from '../recent-requests'
import { createShare } from '../share'
import type { RedisStore } from '../tokens/redis-store'
import { nextAction } from './next-action'
import type { PhaseHolder } from './phase'
import { beat, enterRound, openRound, readAges, register, type SeenRound } from './round-repository'

/** Longer than a loaded database takes for a beat; a replica that dies keeps the others waiting about as long. */
const leaseMs = 5_000
/** A replica stops taking this much before its lease ends for the others. */
const leaseMarginMs = 500
const statementMsMax = 2_000

export type RoundsDeps = {
  sql: Sql
  store: RedisStore
  recent: RecentRequests
  log: Log
  limit: number
  windowMs: number
  /** The history of writes of the Redis in reach. */
  sees(): string | undefined
  now(): number
}

/** One replica's place in the rounds; -1 and -2 stand for no round. */
export type Member = {
  id: string
  phase: PhaseHolder
  entered: { round: number; name: string; store: string | null; atMs: number }
  lostRound: number
  /** How long Redis has to be there before tokens are taken from it again. */
  steadyMs: number
}

export const bounded = <T>(work: Promise<T>): Promise<T> => withDeadline(work, statementMsMax, 'the database')

/** Renews the lease, reads the round and takes this replica's next action in it. */
export async function stepRound(deps: RoundsDeps, member: Member): Promise<void> {
  const { sql, windowMs, now } = deps
  const { id, phase } = member
  if (!phase.leased()) await bounded(register(sql, { id, leaseMs }))
  const sentAtMs = now()
  const seen = await bounded(beat(sql, { id, leaseMs, sees: deps.sees(), windowMs }))
  if (!seen.mine) return phase.lease(Number.NEGATIVE_INFINITY)
  phase.lease(sentAtMs + leaseMs - leaseMarginMs)
  const entered = seen.replicas.find(replica => replica.id === id)?.round
  if (seen.store !== null && member.lostRound === seen.round) await open(deps, seen.round, null)
  else if (member.entered.round !== seen.round || entered !== seen.round) await enter(deps, member, seen)
  else await goOn(deps, member, seen)
}

const open = ({ sql, windowMs }: RoundsDeps, after: number, store: string | null) => bounded(openRound(sql, { after, store, windowMs }))

/** Stops taking, and writes what was let through: for a round of shares to the database, for one of Redis to that Redis. */
async function enter(deps: RoundsDeps, member: Member, { round, name, store, members }: SeenRound): Promise<void> {
  const { sql, recent, log, now } = deps
  const { id, phase } = member
  phase.leave()
  const belongs = members.includes(id)
  // Only a replica that let something through in the last window is a member: this one has nothing to write, and needs a round that counts it.
  if (!belongs && store === null) return open(deps, round, null)
  const ages = recent.ages(now())
  member.entered = { round, name, store, atMs: now() }
  try {
    if (belongs && store !== null) await deps.store.tell({ name, store, tellers: members.length }, id, ages)
  } catch (error) {
    log.warn({ err: error, round }, 'Redis was not told what was let through')
    member.steadyMs *= 2
    member.lostRound = round
    return
  }
  await bounded(enterRound(sql, { id, round, ages: store === null ? ages : undefined }))
}

async function goOn(deps: RoundsDeps, member: Member, seen: SeenRound): Promise<void> {
  const { log, sees, now } = deps
  const { id, phase, entered, steadyMs } = member
  const taking = phase.kind() !== 'lost'
  const action = nextAction(seen, { id, sees: sees(), taking, enteredForMs: now() - entered.atMs, takingForMs: phase.forMs(), steadyMs })
  if (action === 'open shares') return open(deps, seen.round, null)
  if (action === 'open redis') return open(deps, seen.round, sees() ?? null)
  const replicas = seen.members.length
  if (action === 'take from redis' && seen.store !== null) {
    phase.become({ kind: 'redis', round: { name: seen.name, store: seen.store, tellers: replicas } })
    log.info({ round: seen.round, replicas }, 'tokens are taken from Redis')
  }
  if (action === 'take from shares') {
    phase.become({ kind: 'shares', take: await shareOf(deps, id, seen) })
    log.info({ round: seen.round, replicas }, 'each replica takes tokens from its share')
  }
}

async function shareOf({ sql, limit, windowMs, now }: RoundsDeps, id: string, { members }: SeenRound) {
  const before = createRecentRequests(windowMs)
  for (const { ages, agoMs } of await bounded(readAges(sql, windowMs))) before.learn(ages, now(), agoMs)
  return createShare({ limit, windowMs, members: members.length, place: members.indexOf(id), before, now })
}
