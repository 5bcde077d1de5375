import { createBatch } from '@filmgate/kit/batch'
import { type Fragment, isTransient, type Sql, type TransactionSql } from '@filmgate/kit/database/postgres'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { RefusalCode } from '../providers/connector'
import { endStates, type State, states } from './attempt'
import { findIdOwners, insertAttempts, isIdTaken, type KnownCost, transitionAttempts, type Written } from './attempt-repository'
import { type FailureCode, outgoing } from './events'
import { contestIds, providerIdOf } from './provider-ids/contest-ids'
import { checkTransition, type Transition } from './transition'

export type WriteDeps = { sql: Sql; outbox: Outbox; topicPrefix: string; leaseMs: number; now: () => Date; log: Log }

const outcomes = counter('attempts_moved', 'Attempts that came to a state', { provider: late, state: states })
const ended = counter('attempts_ended', 'Attempts that came to their end, by provider and model', {
  provider: late,
  model: late,
  result: [...endStates, 'moderated', 'cancelled'],
})
/** Codes of ends that the client's request caused, not the model. */
const moderated: ReadonlySet<string | undefined> = new Set<RefusalCode | FailureCode>(['prompt_rejected', 'output_moderated'])
const costBases = ['told', 'listed'] as const
const costs = counter('provider_cost_dollars', 'What generations cost us, in US dollars: as their provider told, or as their route lists', {
  provider: late,
  basis: costBases,
})
const stale = counter('attempts_stale', 'Transitions decided on what is no longer so, or under a lease that was lost; nothing was written')

const transitionsMax = 500
/** Providers answer one by one; answers that come this close to each other are written together (docs/decisions/0104). */
const gatherMs = 20
/** Beyond this the leases have run out and whoever holds them now decides anew. */
const writeTriesMax = 6

/**
 * Resolves to whether the transition was written, or what it was replaced by where it named a provider's id that another attempt has; false
 * where its lease was lost, or the attempt is no longer in the state it was read in.
 */
export type WriteTransition = (transition: Transition) => Promise<boolean>

/** Gathers transitions that are decided at one moment into one statement. */
export function createWriteTransition(deps: WriteDeps): WriteTransition {
  const writeAll = async (transitions: Transition[]): Promise<boolean[]> => {
    const latest = latestOfEach(transitions)
    for (const { attempt, to } of latest) if (to) checkTransition(attempt.state, to)
    const events = latest.flatMap(transition => eventsOf(deps.topicPrefix, transition))
    const held = await deps.outbox.statement(events, (sql, insertion) => writeTransitions(deps, sql, latest, insertion))
    const written = new Set(latest.filter(({ job }) => held.has(job.id)))
    return transitions.map(transition => {
      if (!written.has(transition)) stale.add()
      else if (transition.to) count(transition, transition.to, held.get(transition.job.id))
      return written.has(transition)
    })
  }

  /** The owners are read only after the unique index refused an id: that is rare, and reading them before would cost every acceptance a query. */
  const contest = async (transitions: Transition[]): Promise<Transition[]> => {
    const named = transitions.flatMap(({ attempt: { provider }, columns }) =>
      columns?.providerTaskId === undefined ? [] : [{ provider, providerTaskId: columns.providerTaskId }],
    )
    const owners = await findIdOwners(deps.sql, named)
    return contestIds(transitions, new Map(owners.map(one => [providerIdOf(one.provider, one.providerTaskId), one.attemptId])), deps.now)
  }

  const writeWithRetries = async (given: Transition[]): Promise<boolean[]> => {
    let transitions = given
    for (let tries = 1; ; tries++) {
      try {
        return await writeAll(transitions)
      } catch (error) {
        if (tries < writeTriesMax && isIdTaken(error)) {
          transitions = await contest(transitions)
          continue
        }
        if (tries >= writeTriesMax || !isTransient(error)) throw error
        deps.log.warn({ err: error, transitions: transitions.length, tries }, 'transitions not written, retrying')
        await pause(backoffMs(tries, 100, 2_000))
      }
    }
  }

  /** One transition that can't be written must not hold back the others. */
  const write = async (transitions: Transition[]): Promise<PromiseSettledResult<boolean>[]> => {
    try {
      return (await writeWithRetries(transitions)).map(value => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isTransient(error) || transitions.length === 1) throw error
      return Promise.allSettled(transitions.map(async transition => (await writeWithRetries([transition]))[0] ?? false))
    }
  }

  // One at a time: what is decided meanwhile makes the next transaction bigger, and fewer transactions save more than a second one in flight would.
  const batch = createBatch(write, { inFlightMax: 1, sizeMax: transitionsMax, gatherMs })
  return async transition => {
    const result = await batch(transition)
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

function count({ attempt, columns }: Transition, state: State, cost: KnownCost | undefined): void {
  const { provider, model } = attempt
  outcomes.add(1, { provider, state })
  // Once, when its provider has ended it: what follows a copy costs us nothing more.
  const basis = costBases.find(one => one === cost?.basis)
  if (basis && (state === 'copying' || (state === 'failed' && attempt.state !== 'copying')))
    costs.add((cost?.costMicroUsd ?? 0) / 1_000_000, { provider, basis })
  const end = endStates.find(one => one === state)
  if (!end) return
  const cancelled = columns?.code === 'cancelled' ? columns.code : undefined
  ended.add(1, { provider, model, result: cancelled ?? (moderated.has(columns?.code) ? 'moderated' : end) })
}

/** Writes the transitions whose leases still hold, with the jobs and attempts that follow them, and returns what was written. */
async function writeTransitions({ leaseMs }: WriteDeps, sql: Sql, transitions: Transition[], insertion: Fragment): Promise<Written> {
  if (!transitions.some(({ after }) => after.next === 'hand-over' || after.next === 'successor'))
    return transitionAttempts(sql, transitions, insertion)
  return sql.begin(async plain => {
    const sql = plain as TransactionSql
    const held = await transitionAttempts(sql, transitions, insertion)
    const written = transitions.filter(({ job }) => held.has(job.id))
    const handedOver = written.flatMap(({ after }) => (after.next === 'hand-over' ? [after.job] : []))
    if (handedOver.length > 0) await insertJobs(sql, handedOver)
    const successors = written.flatMap(({ after }) => (after.next === 'successor' ? [after.planned.attempt] : []))
    if (successors.length > 0) await insertAttempts(sql, successors, { owner: leaseOwner, leaseMs })
    return held
  })
}

/** The events of a transition, as the outbox takes them. */
export const eventsOf = (topicPrefix: string, { attempt, job, events = [] }: Transition) =>
  events.map(event => ({ subject: job.id, ...outgoing(topicPrefix, attempt, event) }))

/** A process can hold a lease, lose it and hold it again: of one job only what was decided under the latest lease is written. */
function latestOfEach(transitions: Transition[]): Transition[] {
  const latest = new Map<string, Transition>()
  for (const transition of transitions) {
    const other = latest.get(transition.job.id)
    if (!other || other.job.epoch < transition.job.epoch) latest.set(transition.job.id, transition)
  }
  return [...latest.values()]
}
