import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import { counter, histogram } from '@filmgate/kit/telemetry/metrics'
import type { DueAttempt } from '../attempt/attempt'
import { attemptJob } from '../attempt/jobs'
import type { Cadence, Connector } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { type ClaimedJob, claimDueJobs, rescheduleClaimedJobs } from './due-repository'
import { type Decision, nextPollMs, schedulePolls } from './poll-schedule'
import {
  findUsedElsewhere,
  insertProviderLimits,
  lockProviderLimits,
  type ProviderLimits,
  saveProviderLimits,
  saveUsedSlots,
} from './provider-limits-repository'
import { freeSlots, type Slots } from './slots'

export type TakeDueDeps = {
  sql: Sql
  routing: Pick<Routing, 'connectors'>
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  lookUpOf(connector: Connector): Cadence
  slots: Pick<Slots, 'usedBy' | 'leftFor'>
}

/**
 * `lateMs`: since it first came due. `answerCounts`: calls to its provider got no answer or were told to come later, so
 * that an answer changes what the dispatchers share.
 */
export type Taken = { attempt: DueAttempt; job: Job; lateMs: number; answerCounts: boolean }

/** How often an attempt of a provider that is not configured is looked at. */
const unknownProviderMs = 60_000

/** Where few slots are free, due attempts of providers without one must not keep the others waiting. */
const claimsMin = 50

const lateness = histogram(
  'attempt_asked_late_seconds',
  'How long after its time an attempt was taken to be polled or looked up',
  [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 300],
)
const postponements = counter('attempts_postponed', 'Due attempts that wait for their provider’s rate, breaker or slots')

/**
 * Takes attempts that are due, as many as their providers may be polled about. `due`: how many there were with those
 * that wait.
 */
export function createTakeDue(deps: TakeDueDeps): (limit: number) => Promise<{ due: number; taken: Taken[] }> {
  const { sql, routing } = deps
  /** Providers that have a row by which dispatchers share their limits. */
  const known = new Set<string>()

  async function knowProviders(): Promise<void> {
    const fresh = routing.connectors.map(({ provider }) => provider).filter(provider => !known.has(provider))
    if (fresh.length > 0) await insertProviderLimits(sql, fresh)
    for (const provider of fresh) known.add(provider)
  }

  return async limit => {
    await knowProviders()
    const { due, scheduled } = await sql.begin(sql => scheduleDue({ ...deps, sql, owner: leaseOwner }, Math.max(limit, claimsMin), limit))
    const polled = scheduled.filter(isPolled)
    if (polled.length < scheduled.length) postponements.add(scheduled.length - polled.length)
    for (const { nowMs, waitingSinceMs } of polled) lateness.record((nowMs - waitingSinceMs) / 1_000)
    return { due, taken: polled.map(takenOf) }
  }
}

type InTransaction = Omit<TakeDueDeps, 'sql'> & { sql: TransactionSql; owner: string }
type Claimed = ClaimedJob & { connector: Connector | undefined; nextPollMs: number }
export type Scheduled = Claimed & Decision & { answerCounts: boolean }

/**
 * Claims due jobs, decides with the rows of their providers locked, and sets when each is due again. Those that are
 * polled now are due again too, as if the poll told nothing, so that there is no lease. A job without an attempt is
 * deleted.
 */
export async function scheduleDue(
  deps: InTransaction,
  claimsMax: number,
  pollsMax = claimsMax,
): Promise<{ due: number; scheduled: Scheduled[] }> {
  const { sql, owner } = deps
  const jobs = await claimDueJobs(sql, claimsMax)
  if (jobs.length === 0) return { due: 0, scheduled: [] }
  const orphans = jobs.filter(({ id }) => id === null)
  const claimed = jobs.filter(({ id }) => id !== null).map(job => claimedOf(deps, job))
  const limited = claimed.filter(one => isLimited(deps, one))
  const unlimited = claimed.filter(one => !isLimited(deps, one))
  const lines = limited.length > 0 ? await scheduleLines(deps, limited, pollsMax) : []
  const scheduled = [...unlimited.map(pollNow), ...lines.flatMap(line => line.scheduled)]
  const counts = lines
    .filter(({ polled }) => polled > 0)
    .map(({ provider, polled }) => ({ provider, used: deps.slots.usedBy(provider) + polled }))
  // Sent together: each wait for Postgres is one more in which the rows stay locked.
  await Promise.all([
    rescheduleClaimedJobs(sql, scheduled),
    lines.length > 0 && saveProviderLimits(sql, lines),
    counts.length > 0 && saveUsedSlots(sql, owner, counts),
    orphans.length > 0 && deleteHeldJobs(sql, orphans.map(heldJob)),
  ])
  return { due: jobs.length, scheduled }
}

function claimedOf(deps: InTransaction, job: ClaimedJob): Claimed {
  const connector = deps.routing.connectors.find(({ provider }) => provider === job.provider)
  const cadences = connector && { poll: connector.cadence, lookUp: deps.lookUpOf(connector) }
  const bounds = { overdueMs: deps.overduePollMs, unknownProviderMs }
  return { ...job, connector, nextPollMs: nextPollMs(job, cadences, bounds, Math.random()) }
}

/**
 * A sender that ended and what ran out of time are handled whether their provider may be polled or not. Where there is
 * nobody to ask there is no call: as a probe it would keep an open breaker from the answer that closes it.
 */
const isLimited = ({ generationTimeoutMs }: InTransaction, claimed: Claimed): boolean =>
  isAsked(claimed) && claimed.state !== 'sending' && !(claimed.state === 'accepted' && claimed.acceptedMsAgo >= generationTimeoutMs)

const isAsked = ({ state, connector, calledBackAs }: Claimed): boolean =>
  connector !== undefined && (state !== 'unknown' || connector.lookUp !== undefined || calledBackAs !== null)

const pollNow = (one: Claimed): Scheduled => ({ ...one, decision: 'poll', runAtMs: one.nowMs + one.nextPollMs, answerCounts: false })
const isPolled = ({ decision }: Scheduled): boolean => decision === 'poll'

async function scheduleLines({ sql, slots, owner }: InTransaction, claimed: Claimed[], pollsMax: number) {
  let pollsLeft = pollsMax
  const lines = Map.groupBy(claimed, ({ provider }) => provider)
  const providers = [...lines.keys()]
  const [limits, elsewhere] = await Promise.all([lockProviderLimits(sql, providers), findUsedElsewhere(sql, providers, owner)])
  const used = new Map(elsewhere.map(({ provider, used }) => [provider, used]))
  const oldestOf = ({ provider }: { provider: string }) => Math.min(...(lines.get(provider) ?? []).map(one => one.waitingSinceMs))
  // The provider whose attempts have waited longest is served first, whatever its name.
  return limits
    .toSorted((a, b) => oldestOf(a) - oldestOf(b))
    .map(row => {
      const after = scheduleLine(row, lines.get(row.provider) ?? [], slots, pollsLeft, used.get(row.provider))
      pollsLeft -= after.polled
      return after
    })
}

function scheduleLine(limits: ProviderLimits, line: Claimed[], slots: InTransaction['slots'], pollsLeft: number, usedElsewhere = 0) {
  const { provider, nowMs, nextStartMs, pausedUntilMs, pauseMs, ...shared } = limits
  const { perSecond = 1, atOnce = 0 } = line[0]?.connector?.budget ?? {}
  const free = freeSlots({ atOnce, usedHere: slots.usedBy(provider), usedElsewhere, leftHere: slots.leftFor(provider) })
  const state = { rate: { perSecond, nextStartMs, pausedUntilMs, pauseMs }, breaker: shared, slots: Math.min(free, pollsLeft) }
  const { decisions, rate, breaker } = schedulePolls(line, state, nowMs, Math.random)
  const answerCounts = shared.unanswered > 0 || pauseMs > 0
  const scheduled = decisions.map((decision, index): Scheduled => ({ ...line[index], ...decision, answerCounts }) as Scheduled)
  return { provider, ...rate, ...breaker, scheduled, polled: scheduled.filter(isPolled).length }
}

const heldJob = ({ jobId: id, epoch, tries }: ClaimedJob): Job => ({ kind: attemptJob, id, fairnessKey: '', payload: {}, epoch, tries })

/** With the epoch and the tries that its row has now. */
function takenOf(one: Scheduled): Taken {
  const { jobId, epoch, tries, hasLease, nowMs, waitingSinceMs, answerCounts } = one
  const job = { ...heldJob(one), fairnessKey: one.accountId, epoch: epoch + Number(hasLease), tries: tries + 1 }
  return { attempt: { ...one, id: jobId }, job, lateMs: nowMs - waitingSinceMs, answerCounts }
}
