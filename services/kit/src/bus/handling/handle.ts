import { backoffMs, pause } from '../../deadline'
import type { Log } from '../../telemetry/log'
import { counter, late } from '../../telemetry/metrics'
import type { Again } from '../gather'
import type { Incoming } from '../message'
import type { Subscription } from '../subscription'
import { type FaultKind, faultKind, isOutOfTime, isProgramFault } from './fault'
import { createHold } from './hold'
import { inSpans } from './in-spans'
import { isForGroup, type Received, readMessage } from './received'
import { createSetAside, type Publish } from './set-aside'

type Read<T> = { received: Received; message: Incoming<T> }
type Suspect = { received: Received; error: unknown }

/** One look through a batch: whom it failed alone, and whether anything at all was handled. */
type Round = { suspects: Suspect[]; handledAny: boolean }

const handledCount = counter('bus_messages_handled', 'Messages handled', { group: late })

/** A message that fails alone this often is set aside where the fault is known to be its own. */
const triesMax = 3
/** So many failing alone and none handled end a round; each further round looks at twice as many. */
const suspectsMaxFirst = 8
/** Below the 250 s of an admission, for those that wait behind it. */
const loneFaultMsFallback = 120_000

/** Ends a round in which nothing more is to be tried now. */
class Held extends Error {
  constructor(
    readonly kind: FaultKind,
    override readonly cause: unknown,
  ) {
    super('held', { cause })
  }
}

/**
 * Decodes and handles what was received. What a backend is at fault for is waited for; what the message is at fault for is looked for
 * in halves until it is found alone, and set aside. Of other faults the neighbours tell: where one is handled after it, it was the
 * message; where all fail alike, it is us, and everything is tried again later together with what has come since.
 */
export function createHandler<T>(subscription: Subscription<T>, publish: Publish, log: Log, stop: AbortSignal) {
  const { group, loneFaultMsMax = loneFaultMsFallback } = subscription
  const hold = createHold(group, log)
  const setAside = createSetAside(subscription, publish, log, stop)
  handledCount.declare({ group: [group] })
  /** Handled or set aside: a batch that is tried again leaves them out. */
  const done = new WeakSet<Received>()
  const suspectedAt = new WeakMap<Received, number>()
  let suspectsMax = suspectsMaxFirst

  async function handle(received: Received[]): Promise<Again | undefined> {
    const startedAt = performance.now()
    const { read, unreadable } = readAll(subscription, received, done)
    for (const one of unreadable) await dismiss(one)
    if (read.length === 0) return undefined
    try {
      await inSpans(group, read, () => lookThrough(read))
      hold.passed()
      suspectsMax = suspectsMaxFirst
      return undefined
    } catch (error) {
      if (!(error instanceof Held) || stop.aborted) throw error
      const messages = read.filter(one => !done.has(one.received)).length
      return { againAfterMs: waitMs(error, hold.failed(error.cause, messages), messages, performance.now() - startedAt) }
    }
  }

  async function lookThrough(read: Read<T>[]): Promise<void> {
    const round: Round = { suspects: [], handledAny: false }
    await handleAll(read, round)
    const [suspect, another] = round.suspects
    if (!suspect) return
    const lonelyMs = performance.now() - (suspectedAt.get(suspect.received) ?? 0)
    if (another || !isProgramFault(suspect.error) || lonelyMs < loneFaultMsMax) throw new Held('unknown', suspect.error)
    await dismiss(suspect)
  }

  /** In order, whatever is set aside. */
  async function handleAll(read: Read<T>[], round: Round): Promise<void> {
    const failure = await tryOnce(read, round)
    if (!failure) return
    const [first] = read
    if (first && read.length === 1) return lastTries(first, failure.error, round)
    log.warn({ err: failure.error, group, messages: read.length }, 'batch failed, trying its halves')
    const half = read.length >> 1
    await handleAll(read.slice(0, half), round)
    await handleAll(read.slice(half), round)
  }

  /** Undefined once handled; the error where waiting is not known to help. */
  async function tryOnce(read: Read<T>[], round: Round): Promise<{ error: unknown } | undefined> {
    try {
      await subscription.handle(read.map(({ message }) => message))
    } catch (error) {
      if (stop.aborted) throw error
      // Halves of what a slow database can't do in time may be done: the whole would be tried for ever.
      const divisible = read.length > 1 && isOutOfTime(error)
      if (faultKind(error) === 'passing' && !divisible) throw new Held('passing', error)
      return { error }
    }
    for (const { received } of read) done.add(received)
    handledCount.add(read.length, { group })
    round.handledAny = true
    // What failed just before this was handled failed by itself.
    for (const suspect of round.suspects.splice(0)) await dismiss(suspect)
    return undefined
  }

  async function lastTries(one: Read<T>, firstError: unknown, round: Round): Promise<void> {
    let error = firstError
    // Suspected before, it has had its tries.
    for (let tries = suspectedAt.has(one.received) ? triesMax : 1; tries < triesMax; tries++) {
      await pause(backoffMs(tries, 100, 2_000), stop)
      const failure = await tryOnce([one], round)
      if (!failure) return
      error = failure.error
    }
    if (faultKind(error) === 'message') return dismiss({ received: one.received, error })
    if (!suspectedAt.has(one.received)) suspectedAt.set(one.received, performance.now())
    round.suspects.push({ received: one.received, error })
    if (round.handledAny || round.suspects.length < suspectsMax) return
    suspectsMax *= 2
    throw new Held('unknown', error)
  }

  async function dismiss({ received, error }: Suspect): Promise<void> {
    await setAside(received, error)
    done.add(received)
  }

  return handle
}

function readAll<T>(subscription: Subscription<T>, received: Received[], done: WeakSet<Received>) {
  const read: Read<T>[] = []
  const unreadable: Suspect[] = []
  for (const one of received.filter(one => !done.has(one) && isForGroup(one, subscription.group))) {
    try {
      read.push({ received: one, message: readMessage(subscription, one) })
    } catch (error) {
      unreadable.push({ received: one, error })
    }
  }
  return { read, unreadable }
}

/** A fault of ours that all messages share is looked at with a fifth of the time at most; a lone one's neighbours don't wait long. */
function waitMs({ kind }: Held, tries: number, messages: number, roundMs: number): number {
  if (kind === 'passing') return backoffMs(tries, 100, 2_000)
  if (messages === 1) return backoffMs(tries, 200, 1_000)
  return Math.max(backoffMs(tries, 200, 5_000), Math.min(4 * roundMs, 60_000))
}
