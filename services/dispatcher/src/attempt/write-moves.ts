import { createBatch } from '@filmgate/kit/batch'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { leaseOwner } from '@filmgate/kit/jobs'
import { insertJobs } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { counter, late } from '@filmgate/kit/metrics'
import type { Outbox } from '@filmgate/kit/outbox'
import { type Fragment, isTransient, type Sql, type TransactionSql } from '@filmgate/kit/postgres'
import { checkMove, endStates, type FailureCode, type RefusalCode, type State, states } from './attempt'
import { insertAttempts } from './attempt-repository'
import { contestIds, makerIdOf } from './contest-ids'
import { outgoing } from './events'
import type { Move } from './move'
import { findIdOwners, isIdTaken, moveAttempts } from './move-repository'

export type MoveDeps = { sql: Sql; outbox: Outbox; topicPrefix: string; leaseMs: number; now: () => Date; log: Log }

const outcomes = counter('attempts_moved', 'Attempts that came to a state', { maker: late, state: states })
const ended = counter('attempts_ended', 'Attempts that came to their end, by model', { model: late, result: [...endStates, 'moderated'] })
/** What was asked for was at fault, not the model. */
const moderated: ReadonlySet<string | undefined> = new Set<RefusalCode | FailureCode>(['prompt_rejected', 'output_moderated'])
const stale = counter('attempts_stale', 'Moves decided on what is no longer so, or under a lease that was lost; nothing was written')

const movesMax = 500
/** Makers answer one by one; where they do it densely, what they say goes on together (docs/decisions/0104). */
const gatherMs = 20
/** Beyond this the leases have run out and whoever holds them now decides anew. */
const writeTriesMax = 6

/**
 * Resolves to whether the move was written, or what it came to where it named a maker's id that another attempt has; false where its lease
 * was lost, or somebody else has moved the attempt since it was read.
 */
export type WriteMove = (move: Move) => Promise<boolean>

/** Gathers moves that are decided at one moment into one statement. */
export function createWriteMove(deps: MoveDeps): WriteMove {
  const writeAll = async (moves: Move[]): Promise<boolean[]> => {
    const latest = latestOfEach(moves)
    for (const { attempt, to } of latest) if (to) checkMove(attempt.state, to)
    const events = latest.flatMap(move => eventsOf(deps.topicPrefix, move))
    const held = await deps.outbox.statement(events, (sql, insertion) => writeMoves(deps, sql, latest, insertion))
    const written = new Set(latest.filter(({ job }) => held.has(job.id)))
    return moves.map(move => {
      if (!written.has(move)) stale.add()
      else if (move.to) count(move, move.to)
      return written.has(move)
    })
  }

  /** Asked only after the unique index refused: makers that lie are rare, and every acceptance would pay for the question. */
  const contest = async (moves: Move[]): Promise<Move[]> => {
    const named = moves.flatMap(({ attempt: { maker }, columns }) =>
      columns?.makerTaskId === undefined ? [] : [{ maker, makerTaskId: columns.makerTaskId }],
    )
    const owners = await findIdOwners(deps.sql, named)
    return contestIds(moves, new Map(owners.map(one => [makerIdOf(one.maker, one.makerTaskId), one.attemptId])), deps.now)
  }

  const patiently = async (given: Move[]): Promise<boolean[]> => {
    let moves = given
    for (let tries = 1; ; tries++) {
      try {
        return await writeAll(moves)
      } catch (error) {
        if (tries < writeTriesMax && isIdTaken(error)) {
          moves = await contest(moves)
          continue
        }
        if (tries >= writeTriesMax || !isTransient(error)) throw error
        deps.log.warn({ err: error, moves: moves.length, tries }, 'moves not written for now, trying again')
        await pause(backoffMs(tries, 100, 2_000))
      }
    }
  }

  /** One move that can't be written must not hold back the others. */
  const write = async (moves: Move[]): Promise<PromiseSettledResult<boolean>[]> => {
    try {
      return (await patiently(moves)).map(value => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isTransient(error) || moves.length === 1) throw error
      return Promise.allSettled(moves.map(async move => (await patiently([move]))[0] ?? false))
    }
  }

  // One at a time: what is decided meanwhile makes the next transaction bigger, and fewer of them cost less than a second one in flight gains.
  const batch = createBatch(write, { inFlightMax: 1, sizeMax: movesMax, gatherMs })
  return async move => {
    const result = await batch(move)
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

function count({ attempt: { maker, model }, columns }: Move, state: State): void {
  outcomes.add(1, { maker, state })
  const end = endStates.find(one => one === state)
  if (end) ended.add(1, { model, result: moderated.has(columns?.code) ? 'moderated' : end })
}

/** Writes the moves whose leases still hold, with what they begin, and returns the ids of their jobs. */
async function writeMoves({ leaseMs }: MoveDeps, sql: Sql, moves: Move[], insertion: Fragment): Promise<Set<string>> {
  if (!moves.some(({ after }) => after.next === 'hand-over' || after.next === 'successor')) return moveAttempts(sql, moves, insertion)
  return sql.begin(async plain => {
    const sql = plain as TransactionSql
    const held = await moveAttempts(sql, moves, insertion)
    const written = moves.filter(({ job }) => held.has(job.id))
    const handedOver = written.flatMap(({ after }) => (after.next === 'hand-over' ? [after.job] : []))
    if (handedOver.length > 0) await insertJobs(sql, handedOver)
    const successors = written.flatMap(({ after }) => (after.next === 'successor' ? [after.begun.attempt] : []))
    if (successors.length > 0) await insertAttempts(sql, successors, { owner: leaseOwner, leaseMs })
    return held
  })
}

/** What a move tells the world, as the outbox takes it. */
export const eventsOf = (topicPrefix: string, { attempt, job, events = [] }: Move) =>
  events.map(event => ({ subject: job.id, ...outgoing(topicPrefix, attempt, event) }))

/** A process can hold a lease, lose it and hold it again: of one job only the latest lease may speak. */
function latestOfEach(moves: Move[]): Move[] {
  const latest = new Map<string, Move>()
  for (const move of moves) {
    const other = latest.get(move.job.id)
    if (!other || other.job.epoch < move.job.epoch) latest.set(move.job.id, move)
  }
  return [...latest.values()]
}
