import { callbackToken } from '@filmgate/kit/callback-token'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Lease, LeaseKeeper } from '@filmgate/kit/jobs/lease-keeper'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { withSpan } from '@filmgate/kit/telemetry/trace'
import type { Attempt } from '../attempt/attempt'
import { endUploading, leasedJob, markAnswered } from '../attempt/attempt-repository'
import { refused, refusedForOwnFault } from '../attempt/events'
import { admitByMs, type PlanDeps, type PlannedAttempt, planAttempt, submitsWithinMs } from '../attempt/plan-attempts'
import { acceptedTransition, billedColumns, type Transition, unknownTransition } from '../attempt/transition'
import type { WriteTransition } from '../attempt/write-transitions'
import { unlessCancelled } from '../cancel/unless-cancelled'
import type { Holds } from '../holds/holds'
import type { Submission, SubmitOutcome } from '../providers/connector'
import type { Routing } from '../routing/routing'
import { inputsUnread, untilInputsRead } from './unread-inputs'

export type SenderDeps = PlanDeps & {
  sql: Sql
  inputs: ObjectStore
  routing: Pick<Routing, 'routesOf'>
  holds: Pick<Holds, 'stateOf' | 'report'>
  leases: LeaseKeeper
  write: WriteTransition
  now: () => Date
  submitsMax: number
  /** How long a provider can read the managed copies. */
  inputUrlSeconds: number
  callbackBaseUrl: string | undefined
  /** While databases are brought back nothing is submitted: the lease of the attempt ends, and its look-up decides. */
  recovering?: boolean
  generationTimeoutMs: number
  log: Log
}

export type Sender = {
  /** Resolves once at least a quarter of `submitsMax` can be sent, to how many can. */
  room(): Promise<number>
  /** An attempt that is durable as `sending`, leased to this process since `heldSinceMs` (performance.now() before it was written). */
  send(planned: PlannedAttempt, heldSinceMs: number): void
  /** Waits for the answers under way. */
  stop(): Promise<void>
}

/** Calls providers, each attempt once, at most `submitsMax` at a time, and writes down what became of each as it becomes known. */
export function createSender(deps: SenderDeps): Sender {
  const inFlight = new Set<Promise<void>>()
  let waiting: (() => void)[] = []
  // Inserted one by one, attempts would cost a transaction each.
  const roomMin = Math.ceil(deps.submitsMax / 4)
  const stopping = new AbortController()
  /** How many of those in flight wait for our store: they take no place from others. */
  let awaitingStore = 0
  gauge('submits_in_flight', 'Submits under way', () => inFlight.size - awaitingStore)
  gauge('submits_in_flight_max', 'Submits that may be under way', () => deps.submitsMax)

  function wakeAll(): void {
    for (const wake of waiting) wake()
    waiting = []
  }

  const awaitStore: AwaitStore = async wait => {
    awaitingStore += 1
    wakeAll()
    try {
      return await wait(stopping.signal)
    } finally {
      awaitingStore -= 1
    }
  }

  function send(planned: PlannedAttempt, heldSinceMs: number): void {
    if (deps.recovering) {
      deps.log.warn({ attempt: planned.attempt.id }, 'recovery mode: not submitted, the look-up decides')
      return
    }
    const lease = deps.leases.keep(leasedJob(planned.attempt), heldSinceMs)
    const work: Promise<void> = sendOne(deps, planned, { ...lease, heldSinceMs }, { send, awaitStore })
      .catch(error => deps.log.error({ err: error, attempt: planned.attempt.id }, 'submit result not stored; the look-up will resolve it'))
      .finally(() => {
        lease.release()
        inFlight.delete(work)
        wakeAll()
      })
    inFlight.add(work)
  }

  return {
    send,
    async room() {
      while (inFlight.size - awaitingStore > deps.submitsMax - roomMin) await new Promise<void>(resolve => waiting.push(resolve))
      return deps.submitsMax - (inFlight.size - awaitingStore)
    },
    async stop() {
      stopping.abort()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

type HeldLease = Pick<Lease, 'job' | 'signal'> & { heldSinceMs: number }

type AwaitStore = (wait: (stopping: AbortSignal) => Promise<boolean>) => Promise<boolean>

async function sendOne(
  deps: SenderDeps,
  planned: PlannedAttempt,
  lease: HeldLease,
  { send, awaitStore }: { send: Sender['send']; awaitStore: AwaitStore },
): Promise<void> {
  const outcome = await submitOnce(deps, planned, lease)
  const unread = outcome.outcome === 'refused' && outcome.inputsUnread === true
  if (unread) {
    inputsUnread.add(1, { provider: planned.attempt.provider })
    await markAnswered({ sql: deps.sql, job: lease.job })
  }
  // Whoever takes over what this process leaves finds at the provider that nothing was accepted, and tries again.
  let left = false
  const readable =
    unread &&
    (await awaitStore(async stopping => {
      const read = await untilInputsRead(deps, planned.ready, planned.attempt.number, AbortSignal.any([lease.signal, stopping]))
      left = stopping.aborted || lease.signal.aborted
      return read
    }))
  if (left) return deps.log.info({ attempt: planned.attempt.id }, 'submit aborted while waiting for storage')
  const transition = await unlessCancelled(deps, outcomeTransition(deps, planned, lease.job, outcome, readable))
  const writtenSinceMs = performance.now()
  const written = await deps.write(transition)
  if (!written) deps.log.warn({ attempt: planned.attempt.id, outcome }, 'submit answered after the lease was lost; the look-up decides')
  else if (transition.after.next === 'successor') send(transition.after.planned, writtenSinceMs)
  await deps.holds.report(planned, outcome)
}

/** No provider was asked. */
const unsent = { outcome: 'refused', code: 'generation_unavailable', unsent: true } as const

async function submitOnce(deps: SenderDeps, planned: PlannedAttempt, { job, signal, heldSinceMs }: HeldLease): Promise<SubmitOutcome> {
  const { attempt, ready } = planned
  const attributes = { 'filmgate.task': attempt.taskId, 'filmgate.attempt': attempt.id }
  return withSpan(`submit ${attempt.provider}`, { kind: 'client', parent: attempt.traceparent ?? undefined, attributes }, async () => {
    const submission = await submissionOf(deps, planned).catch((error: unknown) => String(error))
    if (typeof submission === 'string') return { ...unsent, cause: `not sent: ${submission}` }
    const { connector } = planned.routes[0]
    const uploaded = attempt.uploads ? await connector.uploadInputs?.(submission.media, signal) : undefined
    if (uploaded?.outcome === 'refused') return { ...uploaded, unsent: true }
    // A sender past its lease could reach the provider after a look-up had already found nothing.
    const isHeld = !attempt.uploads || (await endUploading(deps.sql, job))
    if (!isHeld || signal.aborted || performance.now() - heldSinceMs > submitsWithinMs(deps, attempt))
      return { outcome: 'unknown', cause: 'the lease ended before the submit was sent' }
    if (deps.now().getTime() >= admitByMs(ready.order)) return { ...unsent, cause: 'not sent: past its admit_by' }
    return connector.submit({ ...submission, ...(uploaded && { media: uploaded.media }) }, signal)
  })
}

async function submissionOf(deps: SenderDeps, { attempt, ready, routes }: PlannedAttempt): Promise<Submission> {
  const media = await Promise.all(
    ready.media.map(async ({ input, objectKey }) => {
      if (!input) throw new Error('verified media name what they were verified for')
      const { kind, field, index } = input
      return { kind, field, index, url: await deps.inputs.presignGet(objectKey, deps.inputUrlSeconds) }
    }),
  )
  const token = callbackToken(deps.attemptSecret, { provider: attempt.provider, attemptId: attempt.id })
  const callbackUrl = deps.callbackBaseUrl && `${deps.callbackBaseUrl}/hooks/${attempt.provider}/${token}`
  return { attemptId: attempt.id, providerModel: attempt.providerModel, order: ready.order, mapping: routes[0].mapping, media, callbackUrl }
}

/** `readable`: the provider could not read our copies, and now they can be read. */
export function outcomeTransition(
  deps: SenderDeps,
  { attempt: row, ready, routes }: PlannedAttempt,
  job: Job,
  outcome: SubmitOutcome,
  readable: boolean,
): Transition {
  const attempt: Attempt = { ...row, state: 'sending', providerTaskId: null, echoed: true, outputKey: null }
  const [{ connector }, ...others] = routes
  const at = deps.now()
  if (outcome.outcome === 'accepted') {
    const { providerTaskId, echoed, billed } = outcome
    const heldAfter = new Date(at.getTime() + deps.generationTimeoutMs)
    return acceptedTransition({ at, heldAfter }, attempt, job, connector, { providerTaskId, echoed, ...billedColumns(billed) })
  }
  if (outcome.outcome === 'unknown')
    return unknownTransition(at, attempt, job, { cause: outcome.cause, absenceAfterMs: connector.capabilities.visibilityMs })
  const { code, cause, inputsUnread = false, account } = outcome
  const transition = { attempt, job, to: 'refused' as const, columns: { code, cause } }
  const open = others.filter(
    route => deps.holds.stateOf(route.connector, row.model) === 'open' && !(account && route.connector.provider === row.provider),
  )
  const left = readable && others.length === 0 ? deps.routing.routesOf(ready.order) : open
  // Another provider would be asked for the same content, or could not read the same copies.
  const over = code === 'prompt_rejected' || (inputsUnread && !readable) || at.getTime() >= admitByMs(ready.order)
  const planned = over ? undefined : planAttempt(deps, ready, left, row.number + 1)
  if (planned) return { ...transition, after: { next: 'successor', planned } }
  const ownFault = inputsUnread && at.getTime() < admitByMs(ready.order)
  return { ...transition, events: [ownFault ? refusedForOwnFault(attempt, at) : refused(attempt, at, code)], after: { next: 'end' } }
}
