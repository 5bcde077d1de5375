import type { Job } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { withSpan } from '@filmgate/kit/trace'
import type { Submission, SubmitOutcome } from '../makers/connector'
import type { Routing } from '../routing/routing'
import type { Attempt } from './attempt'
import { type Begun, type BegunDeps, beginWith } from './begun'
import { acceptedMove, unknownMove } from './decide'
import { refused, refusedForOwnFault } from './events'
import { birthJob } from './jobs'
import type { Lease, LeaseKeeper } from './lease-keeper'
import type { Move } from './move'
import { admitByMs } from './order'
import { inputsUnread, untilInputsRead } from './unread-inputs'
import type { WriteMove } from './write-moves'

export type SendDeps = BegunDeps & {
  inputs: ObjectStore
  routing: Pick<Routing, 'routesOf'>
  leases: LeaseKeeper
  write: WriteMove
  now: () => Date
  submitsMax: number
  /** How long a maker can read the managed copies. */
  inputUrlSeconds: number
  callbackBaseUrl: string | undefined
  log: Log
}

export type Sender = {
  /** Resolves once a fair number more can be sent, to how many. */
  room(): Promise<number>
  /** An attempt that is durable as `sending`, leased to this process since `heldSinceMs` (performance.now() before it was written). */
  send(begun: Begun, heldSinceMs: number): void
  /** Waits for the answers under way. */
  stop(): Promise<void>
}

/** Calls makers, each attempt once, at most `submitsMax` at a time, and writes down what became of each as it becomes known. */
export function createSender(deps: SendDeps): Sender {
  const inFlight = new Set<Promise<void>>()
  let waiting: (() => void)[] = []
  // Begun one by one, attempts would cost a transaction each.
  const roomMin = Math.ceil(deps.submitsMax / 4)
  const stopping = new AbortController()
  /** Of those in flight, the ones that wait for our store: they take no place from others. */
  let held = 0
  gauge('submits_in_flight', 'Submits under way', () => inFlight.size - held)

  function wakeAll(): void {
    for (const wake of waiting) wake()
    waiting = []
  }

  const hold: Hold = async wait => {
    held += 1
    wakeAll()
    try {
      return await wait(stopping.signal)
    } finally {
      held -= 1
    }
  }

  function send(begun: Begun, heldSinceMs: number): void {
    const lease = deps.leases.keep(birthJob(begun.attempt), heldSinceMs)
    const work: Promise<void> = sendOne(deps, begun, { ...lease, heldSinceMs }, { send, hold })
      .catch(error => deps.log.error({ err: error, attempt: begun.attempt.id }, 'submit not written down, its look-up will heal it'))
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
      while (inFlight.size - held > deps.submitsMax - roomMin) await new Promise<void>(resolve => waiting.push(resolve))
      return deps.submitsMax - (inFlight.size - held)
    },
    async stop() {
      stopping.abort()
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

type Held = Pick<Lease, 'job' | 'signal'> & { heldSinceMs: number }

type Hold = (wait: (stopping: AbortSignal) => Promise<boolean>) => Promise<boolean>

async function sendOne(deps: SendDeps, begun: Begun, held: Held, { send, hold }: { send: Sender['send']; hold: Hold }): Promise<void> {
  const outcome = await submitOnce(deps, begun, held)
  const unread = outcome.outcome === 'refused' && outcome.inputsUnread === true
  if (unread) inputsUnread.add(1, { maker: begun.attempt.maker })
  // Whoever takes over what this process leaves finds at the maker that nothing was accepted, and tries again.
  let left = false
  const again =
    unread &&
    (await hold(async stopping => {
      const read = await untilInputsRead(deps, begun.ready, begun.attempt.number, AbortSignal.any([held.signal, stopping]))
      left = stopping.aborted || held.signal.aborted
      return read
    }))
  if (left) return deps.log.info({ attempt: begun.attempt.id }, 'left while our store was waited for')
  const move = outcomeMove(deps, begun, held.job, outcome, again)
  const writtenSinceMs = performance.now()
  const written = await deps.write(move)
  if (!written) deps.log.warn({ attempt: begun.attempt.id, outcome }, 'the answer came after the lease was lost; the look-up decides')
  else if (move.after.next === 'successor') send(move.after.begun, writtenSinceMs)
}

async function submitOnce(deps: SendDeps, begun: Begun, { signal, heldSinceMs }: Held): Promise<SubmitOutcome> {
  const { attempt, ready } = begun
  const attributes = { 'filmgate.task': attempt.taskId, 'filmgate.attempt': attempt.id }
  return withSpan(`submit ${attempt.maker}`, { kind: 'client', parent: attempt.traceparent ?? undefined, attributes }, async () => {
    const submission = await handOver(deps, begun).catch((error: unknown) => String(error))
    if (typeof submission === 'string') return { outcome: 'refused', code: 'generation_unavailable', cause: `not sent: ${submission}` }
    // A sender past its lease could reach the maker after a look-up had already found nothing.
    if (signal.aborted || performance.now() - heldSinceMs > deps.leaseMs)
      return { outcome: 'unknown', cause: 'the lease ended before the submit was sent' }
    if (deps.now().getTime() >= admitByMs(ready.order))
      return { outcome: 'refused', code: 'generation_unavailable', cause: 'not sent: past its admit_by' }
    return begun.routes[0].connector.submit(submission, signal)
  })
}

async function handOver(deps: SendDeps, { attempt, ready }: Begun): Promise<Submission> {
  const media = await Promise.all(
    ready.media.map(async ({ input, objectKey }) => {
      if (!input) throw new Error('verified media name what they were verified for')
      const { kind, field, index } = input
      return { kind, field, index, url: await deps.inputs.presignGet(objectKey, deps.inputUrlSeconds) }
    }),
  )
  const callbackUrl = deps.callbackBaseUrl && `${deps.callbackBaseUrl}/hooks/${attempt.maker}/${attempt.id}`
  return { attemptId: attempt.id, makerModel: attempt.makerModel, order: ready.order, media, callbackUrl }
}

/** `again`: the maker could not read our copies, and now they can be read. */
function outcomeMove(deps: SendDeps, { attempt: row, ready, routes }: Begun, job: Job, outcome: SubmitOutcome, again: boolean): Move {
  const attempt: Attempt = { ...row, state: 'sending', makerTaskId: null, echoed: true, outputKey: null }
  const [{ connector }, ...others] = routes
  const at = deps.now()
  if (outcome.outcome === 'accepted') {
    const { makerTaskId, echoed } = outcome
    return acceptedMove(at, attempt, job, connector, { makerTaskId, echoed })
  }
  if (outcome.outcome === 'unknown') return unknownMove(at, attempt, job, { cause: outcome.cause, absenceAfterMs: connector.visibilityMs })
  const { code, cause, inputsUnread = false } = outcome
  const move = { attempt, job, to: 'refused' as const, columns: { code, cause } }
  const left = again && others.length === 0 ? deps.routing.routesOf(ready.order.model) : others
  // Another maker would be asked for the same content, or could not read the same copies.
  const over = code === 'prompt_rejected' || (inputsUnread && !again) || at.getTime() >= admitByMs(ready.order)
  const another = over ? undefined : beginWith(deps, ready, left, row.number + 1)
  if (another) return { ...move, after: { next: 'successor', begun: another } }
  const ownFault = inputsUnread && at.getTime() < admitByMs(ready.order)
  return { ...move, events: [ownFault ? refusedForOwnFault(attempt, at) : refused(attempt, at, code)], after: { next: 'end' } }
}
