import { randomUUID } from 'node:crypto'
import { pause } from '@filmgate/kit/deadline'
import { createPhaseHolder } from './phase'
import { leave } from './round-repository'
import { bounded, type Member, type RoundsDeps, stepRound } from './round-step'

const beatEveryMs = { lost: 20, shares: 50, redis: 250 }
/** Twice as long after each return that failed. */
const [steadyMsMin, steadyMsMax] = [1_000, 30_000]
const stopMsMax = 2_000

/**
 * Follows where tokens may be taken from. Replicas agree on it in rounds, through the database: a round of shares begins once each replica
 * has stopped and written what it let through, a round of Redis once each has written it to that Redis. Only durations are compared, never
 * clock times of two machines.
 */
export function followRounds(deps: RoundsDeps) {
  const { log, now } = deps
  const phase = createPhaseHolder(now)
  const nowhere = { round: -1, name: '', store: null, atMs: 0 }
  const member: Member = { id: randomUUID(), phase, entered: nowhere, lostRound: -2, steadyMs: steadyMsMin }
  let [stopping, failing] = [false, false]
  let waking = new AbortController()

  /** Lets nothing through until the replicas have agreed anew. */
  function lose(why: string): void {
    const { round, store } = member.entered
    if (store === null || member.lostRound === round) return
    log.warn({ why, round }, 'Redis is lost, the replicas agree on shares')
    if (phase.kind() === 'redis') member.steadyMs = steadyMsMin
    member.lostRound = round
    phase.leave()
    waking.abort()
  }

  async function follow(): Promise<void> {
    while (!stopping) {
      waking = new AbortController()
      try {
        await stepRound(deps, member)
        failing = false
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the round of rate limits is not followed')
        failing = true
      }
      member.steadyMs = Math.min(member.steadyMs, steadyMsMax)
      await pause(failing ? beatEveryMs.redis : beatEveryMs[phase.kind()], waking.signal)
    }
  }
  const following = follow()

  return {
    current: phase.current,
    during: phase.during,
    lose,
    roundName: () => member.entered.name,
    /** After the last request: writes what was let through, so that no other replica has to wait for this one. */
    async stop() {
      const endMs = now() + stopMsMax
      while (phase.current().kind === 'lost' && now() < endMs) await pause(beatEveryMs.lost)
      stopping = true
      waking.abort()
      await following
      phase.leave()
      const ages = deps.recent.ages(now())
      await bounded(leave(deps.sql, { id: member.id, ages })).catch(error =>
        log.warn({ err: error }, 'left without writing what was let through'),
      )
    },
  }
}
