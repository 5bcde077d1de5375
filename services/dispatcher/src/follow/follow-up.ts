import { isTransient } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import type { Transition } from '../attempt/transition'
import type { WriteTransition } from '../attempt/write-transitions'
import { unlessCancelled } from '../cancel/unless-cancelled'
import { createReportCalls } from '../due/report-calls'
import { createSlots } from '../due/slots'
import { createTakeDue } from '../due/take-due'
import { createKeepProgress, type KeepProgressDeps } from '../progress/keep-progress'
import { withTally } from '../providers/tally'
import type { Routing } from '../routing/routing'
import type { Sender } from '../submit/sender'
import type { AskDeps } from './ask'
import { decideUnanswered, lookUpCadence } from './decide'
import { canDoWithout, type Group, groupsOf, type Taken } from './groups'

export type FollowUpDeps = Omit<AskDeps, 'keepProgress'> &
  KeepProgressDeps & {
    routing: Routing
    write: WriteTransition
    sender: Sender
    claimEveryMs: number
    pollsMax: number
  }

export type FollowUp = { wake(): void; stop(): Promise<void> }

/** Of the free slots, what is taken at a time: each provider's share is looked at again before the next. */
const portion = 1 / 4

/** Takes attempts whose time has come and asks their providers about them: polls together, look-ups one by one. */
export function startFollowUp(given: FollowUpDeps): FollowUp {
  const deps = { ...given, keepProgress: createKeepProgress(given) }
  const { log, routing, claimEveryMs, pollsMax, generationTimeoutMs } = deps
  const stopping = new AbortController()
  /** One whose next time comes before its provider answered is not asked about twice. */
  const slots = createSlots(pollsMax)
  const underWay = new Set<Promise<void>>()
  const calls = createReportCalls(deps)
  const take = createTakeDue({ ...deps, slots, lookUpOf: connector => lookUpCadence(connector, deps.absenceSightingsMin) })
  gauge('attempts_being_asked_about', 'Attempts whose provider is being polled or looked up', () => pollsMax - slots.free())
  gauge('attempts_being_asked_about_max', 'Attempts that may be asked about at once', () => pollsMax)

  function start(group: Group): void {
    const provider = group.connector?.provider
    for (const { job } of group.due) slots.take(job.id, provider)
    const work = askAndWrite(group, provider).finally(() => underWay.delete(work))
    underWay.add(work)
  }

  async function askAndWrite({ due, ask }: Group, provider: string | undefined): Promise<void> {
    const { working, tally } = withTally(() => ask(stopping.signal))
    await Promise.all(due.map((one, index) => finish(one, provider, working[index])))
    if (provider === undefined) return
    const ids = due.map(({ attempt }) => attempt.id)
    const answerCounts = due.some(one => one.answerCounts)
    await calls.report(provider, ids, tally, answerCounts)
  }

  /** Never rejects. */
  async function finish(one: Taken, provider: string | undefined, decided: Promise<Transition | undefined> | undefined): Promise<void> {
    try {
      const transition = await decided?.finally(() => slots.answered(provider))
      if (transition && !stopping.signal.aborted) await writeDown(one, await unlessCancelled(deps, transition))
    } catch (error) {
      log.error({ err: error, attempt: one.attempt.id }, 'provider answer not stored, polling again')
    } finally {
      if (slots.free() <= 0) claiming.wake()
      slots.release(one.job.id)
    }
  }

  async function writeDown(one: Taken, transition: Transition): Promise<void> {
    const heldSinceMs = performance.now()
    try {
      if ((await deps.write(transition)) && transition.after.next === 'successor') deps.sender.send(transition.after.planned, heldSinceMs)
    } catch (error) {
      // Repeated at every poll, an answer that can't be written would keep the attempt from ever being held for review.
      const unanswered = isTransient(error) ? undefined : decideUnanswered(deps, one)
      if (!unanswered) throw error
      log.error({ err: error, attempt: one.attempt.id }, 'provider answer rejected by the database, treated as no answer')
      await deps.write(unanswered)
    }
  }

  function connectorFor(one: Omit<Taken, 'connector'>): Taken['connector'] {
    const { provider } = one.attempt
    return slots.leftFor(provider) === 0 && canDoWithout(one, generationTimeoutMs) ? undefined : routing.connectorOf(provider)
  }

  async function claim(limit: number): Promise<number> {
    try {
      const { due, taken } = await take(limit)
      const fresh = taken.filter(({ job }) => !slots.has(job.id))
      groupsOf(
        deps,
        fresh.map(one => ({ ...one, connector: connectorFor(one) })),
      ).forEach(start)
      return due
    } catch (error) {
      log.warn({ err: error }, 'claiming due attempts failed')
      return 0
    }
  }

  const claiming = startClaimLoop({ room: () => Math.ceil(slots.free() * portion), claim, pollEveryMs: claimEveryMs })
  return {
    wake: claiming.wake,
    async stop() {
      stopping.abort(new Error('stopping'))
      await claiming.stop()
      await Promise.all(underWay)
    },
  }
}
