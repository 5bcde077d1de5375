import { backoffMs } from '@filmgate/kit/deadline'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { uncertain, waitingFor } from '../attempt/events'
import { recopyJob } from '../attempt/jobs'
import type { Next, Transition } from '../attempt/transition'
import { failedTransition } from '../attempt/transition'
import { type CopyFault, isAnswered } from './copy-fault'
import type { CopyingAttempt } from './output-repository'

/**
 * `faults`: tries that failed, whosever fault it was. `notVideo`: a whole file that was none, and when it was first read. `gone`: how often
 * the URL that the provider gave at that moment led nowhere, and since when. `waiting`: why the last try failed, and until when it is tried
 * before it is held for review, for operators. Times are milliseconds since 1970.
 */
export type CopyPayload = {
  url: string
  faults: number
  notVideo?: { sha256: string; firstMs: number }
  gone?: { count: number; firstMs: number }
  waiting?: { cause: string; untilMs: number }
}

export type DecideCopyDeps = {
  now: () => Date
  outputRetryFirstMs: number
  outputRetryMsMax: number
  /** A copy that fails for so long is held for review, and tried on rarely. */
  outputRetryForMs: number
  /** So is one whose host answers without a video for so long, while our own way out is well. */
  outputReviewAfterMs: number
  outputReviewRetryMs: number
  /** Between two readings that prove a file to be no video. */
  outputRereadMs: number
  /** A URL that leads nowhere is believed to be gone for good when it was seen so often, over so long. */
  outputGoneSightingsMin: number
  outputGoneMs: number
}

export type FailedCopy = {
  attempt: CopyingAttempt
  job: Job<CopyPayload>
  fault: CopyFault
  /** The provider gave the URL for this try. */
  fresh: boolean
  /** Its provider answered in this try, or another output came lately: what failed is not our own way out. */
  egressIsWell: boolean
}

/**
 * A file that is too large may be due to a card's wrong bound, and one that can't be read to a bound or a bug of ours, so an operator gets it.
 * More tries cost bandwidth, and time of the one reader, and change nothing.
 */
const boundedKinds: CopyFault['kind'][] = ['too_large', 'unread']
const boundedTriesMax = 2

/** After a copy that failed: the provider's failure where that is proved, otherwise another try, and past its bound a review. */
export function decideCopy(deps: DecideCopyDeps, failed: FailedCopy): Transition {
  const { attempt, job, fault } = failed
  const at = deps.now()
  const payload = learned(failed, at.getTime())
  const proved = proof(deps, failed, payload, at.getTime())
  if (proved) return failedTransition(at, attempt, job, { code: 'output_unavailable', cause: proved.slice(0, 500) })
  const isSpent =
    attempt.copyingMsAgo >= deps.outputRetryForMs ||
    (boundedKinds.includes(fault.kind) && payload.faults >= boundedTriesMax) ||
    (isAnswered(fault) && failed.egressIsWell && attempt.copyingMsAgo >= deps.outputReviewAfterMs)
  if (!attempt.inReview && isSpent) {
    const cause = `output not copied in ${payload.faults} tries: ${fault.words}`.slice(0, 500)
    const after = again(job, attempt, payload, deps.outputReviewRetryMs)
    return { attempt, job, columns: { cause, heldForReview: true }, events: [uncertain(attempt, at, { cause, takenBy: null })], after }
  }
  const waiting = { cause: fault.words.slice(0, 500), untilMs: Math.round(at.getTime() - attempt.copyingMsAgo + boundMs(deps, failed)) }
  const after = again(job, attempt, attempt.inReview ? payload : { ...payload, waiting }, waitMs(deps, failed, payload, at.getTime()))
  return { attempt, job, events: attempt.inReview ? [] : waitingEvents(failed, payload, waiting.untilMs, at), after }
}

/** The same time, computed anew at each try, differs by the clocks. */
const sameTimeMs = 5_000

/** Its client reads from the second try on that the file is missing, and anew where the time changes. One lost try is nothing to tell. */
function waitingEvents({ attempt, job }: FailedCopy, { faults }: CopyPayload, untilMs: number, at: Date) {
  const before = faults > 2 ? job.payload.waiting?.untilMs : undefined
  if (faults < 2 || (before !== undefined && Math.abs(before - untilMs) < sameTimeMs)) return []
  return [waitingFor(attempt, at, { what: 'file', heldAfter: new Date(untilMs) })]
}

/** After which it is held for review, if it goes on like this. */
const boundMs = ({ outputReviewAfterMs, outputRetryForMs }: DecideCopyDeps, { attempt, fault }: FailedCopy): number =>
  isAnswered(fault) && attempt.copyingMsAgo < outputReviewAfterMs ? outputReviewAfterMs : outputRetryForMs

/** Runs of one job that ended without a decision, restarts among them. */
const unendedRunsMin = 3

/** A copy whose tries end with their process never comes to a decision: past its bound it is held for review before it is tried once more. */
export function holdUnended(deps: DecideCopyDeps, attempt: CopyingAttempt, job: Job<CopyPayload>): Transition | undefined {
  const { faults } = job.payload
  const unended = job.tries - 1 - (job.kind === recopyJob ? faults - 1 : faults)
  if (attempt.inReview || attempt.copyingMsAgo < deps.outputRetryForMs || unended < unendedRunsMin) return undefined
  const cause = `output not copied: ${unended} tries ended without a result`
  const events = [uncertain(attempt, deps.now(), { cause, takenBy: null })]
  return { attempt, job, columns: { cause, heldForReview: true }, events, after: again(job, attempt, job.payload, 0) }
}

function learned({ job, fault, fresh }: FailedCopy, nowMs: number): CopyPayload {
  const { notVideo, gone, waiting: _, ...rest } = job.payload
  const payload = { ...rest, faults: rest.faults + 1 }
  if (fault.kind === 'not_video')
    return { ...payload, notVideo: notVideo?.sha256 === fault.sha256 ? notVideo : { sha256: fault.sha256, firstMs: nowMs } }
  const kept = { ...payload, ...(notVideo && { notVideo }) }
  if (fault.kind === 'gone' && fresh) return { ...kept, gone: { count: (gone?.count ?? 0) + 1, firstMs: gone?.firstMs ?? nowMs } }
  return { ...kept, ...(gone && { gone }) }
}

/** The provider's failure is proved only by what our network can't have caused: the same whole file read twice, or the host's own answer again and again. */
function proof(deps: DecideCopyDeps, { job, fault, fresh }: FailedCopy, { gone }: CopyPayload, nowMs: number): string | undefined {
  const before = job.payload.notVideo
  if (fault.kind === 'not_video' && before?.sha256 === fault.sha256 && nowMs - before.firstMs >= deps.outputRereadMs)
    return `${fault.words}; read whole twice, SHA-256 ${fault.sha256}`
  if (fault.kind !== 'gone' || !fresh || !gone) return undefined
  const isRepeated = gone.count >= deps.outputGoneSightingsMin && nowMs - gone.firstMs >= deps.outputGoneMs
  return isRepeated ? `${fault.words}, ${gone.count} times at URLs that the provider gave for it` : undefined
}

/** The first time that its host answers without a video, its provider is asked at once: the next try begins with that. */
function waitMs(deps: DecideCopyDeps, { attempt, fault, fresh }: FailedCopy, { faults, notVideo }: CopyPayload, nowMs: number): number {
  if (attempt.inReview) return deps.outputReviewRetryMs
  if (!isAnswered(fault)) return backoffMs(faults, deps.outputRetryFirstMs, deps.outputRetryMsMax)
  if (faults === 1 && !fresh) return 0
  const backoff = backoffMs(faults, deps.outputRetryFirstMs, deps.outputRetryMsMax)
  const untilReread = fault.kind === 'not_video' && notVideo ? notVideo.firstMs + deps.outputRereadMs - nowMs : 0
  const untilReview = deps.outputReviewAfterMs - attempt.copyingMsAgo
  return Math.min(Math.max(backoff, untilReread), untilReview > 0 ? untilReview : Number.POSITIVE_INFINITY)
}

/** Tries after the first have workers of their own, so that many copies that fail don't delay a first one. */
function again({ kind }: Job, { id, accountId }: CopyingAttempt, payload: CopyPayload, afterMs: number): Next {
  if (kind === recopyJob) return { next: 'again', afterMs, payload }
  return { next: 'hand-over', job: { kind: recopyJob, id, fairnessKey: accountId, payload, runAfterMs: afterMs } }
}
