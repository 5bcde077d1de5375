import { isDeepStrictEqual } from 'node:util'
import { shownStatus, stepsDone } from '../tasks/task'
import { taskView } from '../tasks/task-view'
import type { ConsoleTask, StoryEvent, StoryRecord } from './task-repository'

/** A VideoTask and what the console shows beside it. `progress` is null where there is none to tell: of what failed, or is not known. */
export const consoleTaskView = (task: ConsoleTask) => {
  const status = shownStatus(task)
  return {
    ...taskView(task),
    surface: task.surface,
    prompt: task.prompt,
    tags: task.tags,
    progress: status === 'completed' ? 1 : status === 'failed' ? null : (stepsDone[task.phase] ?? null),
    phase: task.phase,
    poster_url: status === 'completed' ? task.posterUrl : null,
    resolution: task.resolution,
    duration_seconds: task.billedSeconds,
    shortfalls: status === 'completed' ? (task.delivery?.shortfalls ?? []) : [],
  }
}

/** What each event means, in words for people. */
const summaries: Record<string, string> = {
  creditsReserved: 'Credits are held for the video',
  taskRecorded: 'The ledger published the request again',
  creditsDeclined: 'The request was declined before any credits were held',
  mediaVerified: 'The input files were checked and copied',
  mediaRejected: 'An input file was refused',
  generationAccepted: 'A provider accepted the generation',
  generationRefused: 'The generation was refused before a provider took it',
  generationUncertain: 'Whether a provider took the generation is being found out',
  generationProgressed: 'The generation goes on',
  generationCompleted: 'The video is in storage',
  generationFailed: 'The provider could not make the video',
  reviewOpened: 'The outcome is being looked into; the credits stay held',
  cancelRequested: 'A cancel was asked for',
  generationNotCancelled: 'The generation could not be cancelled and goes on',
  creditsSettled: 'The credits are charged',
  refundPending: 'The credits are being returned',
  creditsRefunded: 'The credits are returned',
}

const chargedInPart = 'What was delivered is charged; the rest of the credits is returned'
const copying = 'The video is made, and is being copied to storage'

/** A service that was interrupted tells again what it had told: that happened once. */
export const storyEventViews = (events: StoryEvent[]) =>
  events.filter((event, index) => !isSame(event, events[index - 1])).map(storyEventView)

const isSame = ({ kind, details }: StoryEvent, before: StoryEvent | undefined): boolean =>
  before?.kind === kind && isDeepStrictEqual(details, before.details)

export const storyEventView = ({ at, kind, details }: StoryEvent) => ({
  at: at.toISOString(),
  kind,
  summary: summaryOf(kind, details),
  details,
})

const waitingSummaries: Record<string, string> = {
  file: 'No file from the provider yet; it is asked again',
  status: 'A status of the provider that we don’t know; it is asked again',
}

/**
 * What a running task waits for: `admission`, the `provider`, its `file` or a `status` of it that we know, `storage`, the `booking`, or that its
 * `outcome` is found out. `until`: by then it goes on or is looked into; null where no time is known.
 */
export type Waiting = { for: 'admission' | 'provider' | 'file' | 'status' | 'storage' | 'booking' | 'outcome'; until: string | null }

/** Null once it has ended. The provider’s own words are for operators alone. */
export function waitingOf(task: ConsoleTask, events: StoryEvent[]): Waiting | null {
  if (shownStatus(task) !== 'processing') return null
  if (task.billingStatus === 'review' || task.phase === 'uncertain') return { for: 'outcome', until: null }
  if (task.phase === 'admitting') return { for: 'admission', until: task.admitBy.toISOString() }
  if (task.phase !== 'accepted' && task.phase !== 'copying') return { for: 'booking', until: null }
  const { waitingFor, heldAfter } = events.findLast(tellsWaiting)?.details ?? {}
  const until = typeof heldAfter === 'string' ? heldAfter : null
  if (waitingFor === 'file' || waitingFor === 'status') return { for: waitingFor, until }
  return { for: task.phase === 'copying' ? 'storage' : 'provider', until }
}

/** How far it is says nothing of what it waits for. */
const tellsWaiting = ({ kind, details }: StoryEvent): boolean =>
  kind === 'generationAccepted' || (kind === 'generationProgressed' && progressSummary(details) === undefined)

function progressSummary({ percent, queuePosition }: Record<string, unknown>): string | undefined {
  if (typeof percent === 'number') return `The generation is at ${percent} %`
  return typeof queuePosition === 'number' ? `The generation has position ${queuePosition} in the queue of the provider` : undefined
}

/** Providers have no names here. That one or more were asked before is told, since it explains the time. */
function summaryOf(kind: string, details: Record<string, unknown>): string {
  const { phase, attemptNumber, creditsRefunded, waitingFor } = details
  if (kind === 'creditsSettled' && typeof creditsRefunded === 'number') return chargedInPart
  if (typeof waitingFor === 'string' && waitingSummaries[waitingFor]) return waitingSummaries[waitingFor]
  if (kind === 'generationProgressed' && phase === 'copying') return copying
  const progress = kind === 'generationProgressed' ? progressSummary(details) : undefined
  if (progress) return progress
  const summary = summaries[kind] ?? kind
  return typeof attemptNumber === 'number' && attemptNumber > 1 ? `${summary} (attempt ${attemptNumber})` : summary
}

/** An entry for each balance that a record moved. */
export const storyEntries = ({ at, kind, credits, starter }: StoryRecord) =>
  [
    { at: at.toISOString(), kind, credits: starter, balance: 'starter' as const },
    { at: at.toISOString(), kind, credits: credits - starter, balance: 'paid' as const },
  ].filter(entry => entry.credits !== 0)
