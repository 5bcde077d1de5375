import type { Job } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { withSpan } from '@filmgate/kit/trace'
import type { Submission, SubmitOutcome } from '../makers/connector'
import type { ReadyRoute } from '../routing/routing'
import type { Attempt } from './attempt'
import type { NewAttempt } from './attempt-repository'
import { acceptedMove } from './decide'
import { refused, uncertain } from './events'
import type { Lease, LeaseKeeper } from './lease-keeper'
import { attemptJob, type Move } from './move'
import { admitByMs, type ReadyOrder } from './order'
import type { WriteMove } from './write-moves'

export type SendDeps = {
  inputs: ObjectStore
  leases: LeaseKeeper
  write: WriteMove
  now: () => Date
  newAttemptId: () => string
  leaseMs: number
  submitsMax: number
  /** How long a maker can read the managed copies. */
  inputUrlSeconds: number
  callbackBaseUrl: string | undefined
  log: Log
}

/** An attempt that is durable as `sending`, leased to this process since `heldSinceMs`. `routes`: its own first, then what is left. */
export type Begun = { attempt: NewAttempt; ready: ReadyOrder; routes: ReadyRoute[]; heldSinceMs: number }

export type Sender = {
  /** Resolves once a fair number more can be sent, to how many. */
  room(): Promise<number>
  send(begun: Begun): void
  /** Waits for the answers under way. */
  stop(): Promise<void>
}

/** Calls makers, each attempt once, at most `submitsMax` at a time, and writes down what became of each as it becomes known. */
export function createSender(deps: SendDeps): Sender {
  const inFlight = new Set<Promise<void>>()
  let waiting: (() => void)[] = []
  // Begun one by one, attempts would cost a transaction each.
  const roomMin = Math.ceil(deps.submitsMax / 4)
  gauge('submits_in_flight', 'Submits under way', () => inFlight.size)

  function send(begun: Begun): void {
    const lease = deps.leases.keep(birthJob(begun.attempt), begun.heldSinceMs)
    const work: Promise<void> = sendOne(deps, begun, lease, send)
      .catch(error => deps.log.error({ err: error, attempt: begun.attempt.id }, 'submit not written down, its look-up will heal it'))
      .finally(() => {
        lease.release()
        inFlight.delete(work)
        for (const wake of waiting) wake()
        waiting = []
      })
    inFlight.add(work)
  }

  return {
    send,
    async room() {
      while (inFlight.size > deps.submitsMax - roomMin) await new Promise<void>(resolve => waiting.push(resolve))
      return deps.submitsMax - inFlight.size
    },
    async stop() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

const birthJob = ({ id, accountId }: NewAttempt): Job => ({ kind: attemptJob, id, fairnessKey: accountId, payload: {}, epoch: 1, tries: 1 })

async function sendOne(deps: SendDeps, begun: Begun, lease: Lease, send: (begun: Begun) => void): Promise<void> {
  const [route] = begun.routes
  if (!route) throw new Error('an attempt is begun with the route it was pinned to')
  const outcome = await submitOnce(deps, begun, route, lease.signal)
  const heldSinceMs = performance.now()
  const move = outcomeMove(deps, begun, route, lease.job, outcome)
  const written = await deps.write(move)
  if (!written)
    return deps.log.warn({ attempt: begun.attempt.id, outcome }, 'the answer came after the lease was lost; the look-up decides')
  if (move.after.next === 'successor') send({ ...begun, attempt: move.after.attempt, routes: begun.routes.slice(1), heldSinceMs })
}

async function submitOnce(deps: SendDeps, begun: Begun, route: ReadyRoute, signal: AbortSignal): Promise<SubmitOutcome> {
  const { attempt, ready } = begun
  return withSpan(
    `submit ${attempt.maker}`,
    {
      kind: 'client',
      parent: attempt.traceparent ?? undefined,
      attributes: { 'filmgate.task': attempt.taskId, 'filmgate.attempt': attempt.id },
    },
    async () => {
      const submission = await handOver(deps, begun, route).catch((error: unknown) => String(error))
      if (typeof submission === 'string') return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${submission}` }
      // A sender past its lease could reach the maker after a look-up had already found nothing.
      if (signal.aborted || performance.now() - begun.heldSinceMs > deps.leaseMs)
        return { outcome: 'unknown', cause: 'the lease ended before the submit was sent' }
      if (deps.now().getTime() >= admitByMs(ready.order))
        return { outcome: 'refused', code: 'generation_unavailable', cause: 'not sent: past its admit_by' }
      return route.connector.submit(submission, signal)
    },
  )
}

async function handOver(deps: SendDeps, { attempt, ready }: Begun, { makerModel }: ReadyRoute): Promise<Submission> {
  const media = await Promise.all(
    ready.media.map(async ({ input, objectKey }) => {
      if (!input) throw new Error('verified media name what they were verified for')
      return {
        kind: input.kind,
        field: input.field,
        index: input.index,
        url: await deps.inputs.presignGet(objectKey, deps.inputUrlSeconds),
      }
    }),
  )
  const callbackUrl = deps.callbackBaseUrl && `${deps.callbackBaseUrl}/hooks/${attempt.maker}/${attempt.id}`
  return { attemptId: attempt.id, makerModel, order: ready.order, media, callbackUrl }
}

function outcomeMove(deps: SendDeps, { attempt: begun, ready, routes }: Begun, route: ReadyRoute, job: Job, outcome: SubmitOutcome): Move {
  const attempt: Attempt = { ...begun, state: 'sending', makerTaskId: null, outputKey: null }
  const at = deps.now()
  if (outcome.outcome === 'accepted') return acceptedMove(at, attempt, job, route.connector, outcome.makerTaskId)
  if (outcome.outcome === 'unknown') {
    const { cause } = outcome
    const columns = { cause, absenceAfterMs: route.connector.visibilityMs }
    return {
      attempt,
      job,
      to: 'unknown',
      columns,
      events: [uncertain(attempt, at, cause)],
      after: { next: 'again', afterMs: firstLookUpAfterMs, resetTries: true },
    }
  }
  const { code, cause } = outcome
  const next = routes[1]
  const move = { attempt, job, to: 'refused' as const, columns: { code, cause } }
  // Another maker would be asked for the same content.
  if (!next || code === 'prompt_rejected' || at.getTime() >= admitByMs(ready.order))
    return { ...move, events: [refused(attempt, at, code)], after: { next: 'end' } }
  return { ...move, after: { next: 'successor', attempt: successorOf(deps, begun, next) } }
}

const firstLookUpAfterMs = 500

const successorOf = (deps: SendDeps, begun: NewAttempt, { connector, makerModel }: ReadyRoute): NewAttempt => ({
  ...begun,
  id: deps.newAttemptId(),
  number: begun.number + 1,
  maker: connector.maker,
  makerModel,
  absenceAfterMs: deps.leaseMs + connector.visibilityMs,
})
