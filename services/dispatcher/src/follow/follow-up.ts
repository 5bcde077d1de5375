import { isTransient } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import { deleteHeldJobs } from '@filmgate/kit/jobs/job-repository'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Due } from '../attempt/attempt'
import type { Transition } from '../attempt/transition'
import type { WriteTransition } from '../attempt/write-transitions'
import type { Connector } from '../makers/connector'
import type { Routing } from '../routing/routing'
import type { Sender } from '../submit/sender'
import { type AskDeps, heal, poll } from './ask'
import { decideUnanswered, lookUpCadence } from './decide'
import { takeDueAttempts } from './due-repository'

export type FollowUpDeps = AskDeps & {
  routing: Routing
  write: WriteTransition
  sender: Sender
  claimEveryMs: number
  pollsMax: number
}

/** How often an attempt of a maker that is not configured is looked at. */
const unknownMakerMs = 60_000

export type FollowUp = { wake(): void; stop(): Promise<void> }

/** Its maker may not be configured: then it waits for the configuration, and past its bound for an operator. */
type Taken = Omit<Due, 'connector'> & { connector: Connector | undefined }

type Group = { due: Taken[]; ask: (signal: AbortSignal) => Promise<(Transition | undefined)[]> }

/** Takes attempts whose time has come and asks their makers about them: polls together, look-ups one by one. */
export function startFollowUp(deps: FollowUpDeps): FollowUp {
  const { sql, log, routing, claimEveryMs, pollsMax } = deps
  const stopping = new AbortController()
  /** Attempts being asked about here; one whose next time comes before its maker answered is not asked about twice. */
  const inFlight = new Set<string>()
  const asking = new Set<Promise<void>>()
  const cadences = () =>
    routing.connectors.map(connector => ({
      maker: connector.maker,
      poll: connector.cadence,
      lookUp: lookUpCadence(connector, deps.absenceSightingsMin),
    }))
  gauge('attempts_being_asked_about', 'Attempts whose maker is being polled or looked up', () => inFlight.size)

  async function take(limit: number): Promise<{ count: number; due: Taken[] }> {
    const taken = await takeDueAttempts(sql, cadences(), { limit, overdueMs: deps.overduePollMs, unknownMakerMs })
    const orphans = taken.filter(({ attempt }) => attempt.id === null)
    if (orphans.length > 0) {
      await deleteHeldJobs(
        sql,
        orphans.map(({ job }) => job),
      )
    }
    const due = taken
      .filter(({ attempt, job }) => attempt.id !== null && !inFlight.has(job.id))
      .map(({ attempt, job }) => ({ attempt, job, connector: routing.connectorOf(attempt.maker) }))
    return { count: taken.length, due }
  }

  function start({ due, ask }: Group): void {
    for (const { job } of due) inFlight.add(job.id)
    const work: Promise<void> = ask(stopping.signal)
      .then(async transitions => {
        if (stopping.signal.aborted) return
        await Promise.all(due.map((one, index) => writeDown(one, transitions[index])))
      })
      .catch(error => log.error({ err: error, attempts: due.length }, 'what makers answered is not written down, they will be asked again'))
      .finally(() => {
        if (inFlight.size >= pollsMax) claiming.wake()
        for (const { job } of due) inFlight.delete(job.id)
        asking.delete(work)
      })
    asking.add(work)
  }

  async function writeDown(one: Taken, transition: Transition | undefined): Promise<void> {
    if (!transition) return
    const heldSinceMs = performance.now()
    try {
      if ((await deps.write(transition)) && transition.after.next === 'successor') deps.sender.send(transition.after.planned, heldSinceMs)
    } catch (error) {
      // Repeated at every poll, an answer that can't be written would keep the attempt from ever being held for review.
      const unanswered = isTransient(error) ? undefined : decideUnanswered(deps, one)
      if (!unanswered) throw error
      log.error({ err: error, attempt: one.attempt.id }, 'what its maker answered can’t be written down, taken as no answer')
      await deps.write(unanswered)
    }
  }

  async function claim(limit: number): Promise<number> {
    try {
      const { count, due } = await take(limit)
      groups(deps, due).forEach(start)
      return count
    } catch (error) {
      log.warn({ err: error }, 'taking due attempts failed')
      return 0
    }
  }

  const claiming = startClaimLoop({ room: () => pollsMax - inFlight.size, claim, pollEveryMs: claimEveryMs })
  return {
    wake: claiming.wake,
    async stop() {
      stopping.abort(new Error('stopping'))
      await claiming.stop()
      await Promise.all(asking)
    },
  }
}

/**
 * Look-ups each by itself, so that a slow one delays no other; polls by maker, as many together as it takes; nobody is asked where the maker
 * is not configured.
 */
function groups(deps: AskDeps, taken: Taken[]): Group[] {
  const due = taken.filter((one): one is Due => one.connector !== undefined)
  const alone = taken.filter(one => !one.connector)
  const isHealing = ({ attempt }: Due) => attempt.state === 'sending' || attempt.state === 'unknown'
  const healing = due.filter(isHealing).map((one): Group => ({ due: [one], ask: async signal => [await heal(deps, one, signal)] }))
  const polling = [
    ...Map.groupBy(
      due.filter(one => !isHealing(one)),
      one => one.connector,
    ),
  ].flatMap(([connector, own]) =>
    portions(own, connector.pollSizeMax).map((due): Group => ({ due, ask: signal => poll(deps, connector, due, signal) })),
  )
  const deciding: Group[] = alone.length > 0 ? [{ due: alone, ask: async () => alone.map(one => decideUnanswered(deps, one)) }] : []
  return [...healing, ...polling, ...deciding]
}

function portions<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}
