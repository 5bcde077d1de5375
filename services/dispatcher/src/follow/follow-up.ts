import { isTransient } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Transition } from '../attempt/transition'
import type { WriteTransition } from '../attempt/write-transitions'
import { createReportCalls } from '../due/report-calls'
import { createTakeDue } from '../due/take-due'
import { withTally } from '../makers/tally'
import type { Routing } from '../routing/routing'
import type { Sender } from '../submit/sender'
import type { AskDeps } from './ask'
import { decideUnanswered, lookUpCadence } from './decide'
import { type Group, groupsOf, type Taken } from './groups'
import { createKeepProgress } from './keep-progress'

export type FollowUpDeps = Omit<AskDeps, 'keepProgress'> & {
  routing: Routing
  write: WriteTransition
  sender: Sender
  claimEveryMs: number
  pollsMax: number
}

export type FollowUp = { wake(): void; stop(): Promise<void> }

/** Takes attempts whose time has come and asks their makers about them: polls together, look-ups one by one. */
export function startFollowUp(given: FollowUpDeps): FollowUp {
  const deps = { ...given, keepProgress: createKeepProgress(given) }
  const { log, routing, claimEveryMs, pollsMax } = deps
  const stopping = new AbortController()
  /** Attempts being asked about here; one whose next time comes before its maker answered is not asked about twice. */
  const inFlight = new Set<string>()
  const asking = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const calls = createReportCalls(deps)
  const take = createTakeDue({
    ...deps,
    lookUpOf: connector => lookUpCadence(connector, deps.absenceSightingsMin),
    askingOf: maker => asking.get(maker) ?? 0,
  })
  gauge('attempts_being_asked_about', 'Attempts whose maker is being polled or looked up', () => inFlight.size)

  function start(group: Group): void {
    for (const { job } of group.due) inFlight.add(job.id)
    const work: Promise<void> = askAndWrite(group)
      .catch(error =>
        log.error({ err: error, attempts: group.due.length }, 'what makers answered is not written down, they will be asked again'),
      )
      .finally(() => {
        if (inFlight.size >= pollsMax) claiming.wake()
        for (const { job } of group.due) inFlight.delete(job.id)
        underWay.delete(work)
      })
    underWay.add(work)
  }

  async function askAndWrite(group: Group): Promise<void> {
    const transitions = await ask(group)
    if (stopping.signal.aborted) return
    await Promise.all(group.due.map((one, index) => writeDown(one, transitions[index])))
  }

  async function ask({ connector, due, ask }: Group): Promise<(Transition | undefined)[]> {
    if (!connector) return ask(stopping.signal)
    const { maker } = connector
    asking.set(maker, (asking.get(maker) ?? 0) + due.length)
    try {
      const { result, tally } = await withTally(() => ask(stopping.signal))
      const troubled = due.some(one => one.troubled)
      void calls.report(maker, tally, troubled)
      return result
    } finally {
      asking.set(maker, (asking.get(maker) ?? 0) - due.length)
    }
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
      const { due, taken } = await take(limit)
      const fresh = taken.filter(({ job }) => !inFlight.has(job.id))
      groupsOf(
        deps,
        fresh.map(({ attempt, job, troubled }) => ({ attempt, job, troubled, connector: routing.connectorOf(attempt.maker) })),
      ).forEach(start)
      return due
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
      await Promise.all(underWay)
    },
  }
}
