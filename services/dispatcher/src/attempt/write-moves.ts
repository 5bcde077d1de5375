import { createBatch } from '@filmgate/kit/batch'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import { leaseOwner } from '@filmgate/kit/jobs'
import { deleteHeldJobs, insertJobs, rescheduleHeldJobs } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { counter } from '@filmgate/kit/metrics'
import type { Outbox, Send } from '@filmgate/kit/outbox'
import { isTransient, type TransactionSql } from '@filmgate/kit/postgres'
import { checkMove } from './attempt'
import { changeAttempts, insertAttempts } from './attempt-repository'
import { outgoing } from './events'
import type { Move } from './move'

export type MoveDeps = { outbox: Outbox; topicPrefix: string; leaseMs: number; log: Log }

const outcomes = counter('attempts_moved', 'Attempts that came to a state')
const stale = counter('attempts_stale', 'Moves decided on what is no longer so, or under a lease that was lost; nothing was written')

const movesMax = 500
/** Beyond this the leases have run out and whoever holds them now decides anew. */
const writeTriesMax = 6

/** Undoes its whole transaction; alone, a move that is stale is simply not written. */
class StaleMove extends Error {
  override name = 'StaleMove'
}

/** Resolves to whether the move was written; false where its lease was lost. */
export type WriteMove = (move: Move) => Promise<boolean>

/** Gathers moves that are decided at one moment into one transaction. */
export function createWriteMove(deps: MoveDeps): WriteMove {
  const writeAll = async (moves: Move[]): Promise<boolean[]> => {
    const written = await deps.outbox.transaction((sql, send) => writeMoves(deps, sql, send, moves))
    return moves.map(move => {
      if (!written.has(move)) stale.add()
      else if (move.to) outcomes.add(1, { maker: move.attempt.maker, state: move.to })
      return written.has(move)
    })
  }

  const patiently = async (moves: Move[]): Promise<boolean[]> => {
    for (let tries = 1; ; tries++) {
      try {
        return await writeAll(moves)
      } catch (error) {
        if (tries >= writeTriesMax || !isTransient(error)) throw error
        deps.log.warn({ err: error, moves: moves.length, tries }, 'moves not written for now, trying again')
        await pause(backoffMs(tries, 100, 2_000))
      }
    }
  }

  const alone = async (move: Move, known: unknown): Promise<boolean> => {
    try {
      if (known) throw known
      return (await patiently([move]))[0] ?? false
    } catch (error) {
      if (!(error instanceof StaleMove)) throw error
      stale.add()
      return false
    }
  }

  /** One move that can't be written must not hold back the others. */
  const write = async (moves: Move[]): Promise<PromiseSettledResult<boolean>[]> => {
    try {
      return (await patiently(moves)).map(value => ({ status: 'fulfilled', value }))
    } catch (error) {
      if (isTransient(error)) throw error
      return Promise.allSettled(moves.map(move => alone(move, moves.length === 1 ? error : undefined)))
    }
  }

  // One at a time: what is decided meanwhile makes the next transaction bigger, and fewer of them cost less than a second one in flight gains.
  const batch = createBatch(write, { inFlightMax: 1, sizeMax: movesMax })
  return async move => {
    const result = await batch(move)
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
}

/** Writes the moves whose leases still hold, and returns them. Jobs come first: their row locks are the fence. */
export async function writeMoves(deps: Omit<MoveDeps, 'outbox' | 'log'>, sql: TransactionSql, send: Send, all: Move[]): Promise<Set<Move>> {
  const moves = latestOfEach(all)
  for (const { attempt, to } of moves) if (to) checkMove(attempt.state, to)
  const held = await moveJobs(sql, moves)
  const written = moves.filter(move => held.has(move.job.id))
  const changes = written
    .filter(move => move.to || move.columns)
    .map(({ attempt, to, columns = {} }) => ({ id: attempt.id, from: attempt.state, to: to ?? attempt.state, columns }))
  const changed = changes.length > 0 ? await changeAttempts(sql, changes) : new Set()
  // Two who asked about it at the same moment: the first has moved it already.
  if (changed.size < changes.length)
    throw new StaleMove(`${changes.length - changed.size} of ${changes.length} attempts are no longer in the state that was read`)
  await begin(deps, sql, written)
  send(written.flatMap(({ attempt, events = [] }) => events.map(event => outgoing(deps.topicPrefix, attempt, event))))
  return new Set(written)
}

/** A process can hold a lease, lose it and hold it again: of one job only the latest lease may speak. */
function latestOfEach(moves: Move[]): Move[] {
  const latest = new Map<string, Move>()
  for (const move of moves) {
    const other = latest.get(move.job.id)
    if (!other || other.job.epoch < move.job.epoch) latest.set(move.job.id, move)
  }
  return [...latest.values()]
}

async function moveJobs(sql: TransactionSql, moves: Move[]): Promise<Set<string>> {
  const again = moves.flatMap(({ job, after }) => (after.next === 'again' ? [{ job, ...after, runAfterMs: after.afterMs }] : []))
  const over = moves.filter(({ after }) => after.next !== 'again').map(({ job }) => job)
  const rescheduled = again.length > 0 ? await rescheduleHeldJobs(sql, again) : []
  const deleted = over.length > 0 ? await deleteHeldJobs(sql, over) : []
  return new Set([...rescheduled, ...deleted])
}

async function begin({ leaseMs }: { leaseMs: number }, sql: TransactionSql, moves: Move[]): Promise<void> {
  const handedOver = moves.flatMap(({ after }) => (after.next === 'hand-over' ? [after.job] : []))
  if (handedOver.length > 0) await insertJobs(sql, handedOver)
  const successors = moves.flatMap(({ after }) => (after.next === 'successor' ? [after.begun.attempt] : []))
  if (successors.length > 0) await insertAttempts(sql, successors, { owner: leaseOwner, leaseMs })
}
