import { type BillingStatus, billingStatuses, type Phase, phases, shownStatus } from '../task'

/** A row of `task_event`, as `project.ts` writes it. */
export type TaskEventRow = { at: Date; details: Record<string, unknown> }

/** What the events of a task tell its client. `completed` and `refunded` are the last of a task. */
export const eventTypes = ['queued', 'accepted', 'running', 'copying', 'in_review', 'completed', 'failed', 'refunded'] as const
export type EventType = (typeof eventTypes)[number]

/** `id`: which event of its task it is, from 1. */
export type TaskEvent = { id: string; type: EventType; at: string } & {
  /** running: each where the provider tells it. */
  percent?: number
  position?: number
  credits_used?: number
  credits_refunded?: number
  video_url?: string
  error?: { code: string; message: string }
}

type State = {
  phase: Phase
  billingStatus: BillingStatus | null
  creditsUsed: number
  creditsRefunded: number
  videoUrl: string | null
  error: { code: string; message: string } | null
  percent: number
  position: number | undefined
}

/**
 * The events of a task by its rows in the order in which they were merged. Each row adds events at the end and changes none before, so that every
 * replica numbers them alike. Rows that tell nothing new (a repeated event, one that was overtaken by a later phase) add none.
 */
export function taskEvents(rows: TaskEventRow[]): TaskEvent[] {
  const events: TaskEvent[] = []
  let state: State = {
    ...{ phase: 'admitting', billingStatus: null, creditsUsed: 0, creditsRefunded: 0 },
    ...{ videoUrl: null, error: null, percent: -1, position: undefined },
  }
  for (const { at, details } of rows) {
    const next = merged(state, details)
    for (const event of eventsBetween(state, next)) events.push({ id: String(events.length + 1), at: at.toISOString(), ...event })
    state = next
  }
  return events
}

/** Whether nothing comes after it. */
export const isLast = (event: TaskEvent | undefined): boolean => event?.type === 'completed' || event?.type === 'refunded'

/** As `mergeProjection` merges a change into its task's row: ranks only grow, and the first error stays. */
function merged(state: State, details: Record<string, unknown>): State {
  const { phase, billingStatus, creditsUsed, creditsRefunded, videoUrl, errorCode, errorMessage, percent, queuePosition } = details
  const later = isKeyOf(phases, phase) && phases[phase] > phases[state.phase] ? phase : state.phase
  const billed = isKeyOf(billingStatuses, billingStatus) && billingStatuses[billingStatus] > rankOf(state.billingStatus)
  const runs = phases[later] <= phases.accepted
  return {
    phase: later,
    billingStatus: billed ? billingStatus : state.billingStatus,
    creditsUsed: typeof creditsUsed === 'number' ? creditsUsed : state.creditsUsed,
    creditsRefunded: typeof creditsRefunded === 'number' ? creditsRefunded : state.creditsRefunded,
    videoUrl: typeof videoUrl === 'string' ? videoUrl : state.videoUrl,
    error: state.error ?? (typeof errorCode === 'string' ? { code: errorCode, message: String(errorMessage ?? '') } : null),
    // A provider that counts back would have its client see a video unmake itself.
    percent: runs && typeof percent === 'number' ? Math.max(percent, state.percent) : state.percent,
    position: runs && typeof queuePosition === 'number' ? queuePosition : state.position,
  }
}

/** What a client is told of the step from one state to the next. */
function eventsBetween(before: State, after: State): Omit<TaskEvent, 'id' | 'at'>[] {
  const status = shownStatus(after)
  if (status !== shownStatus(before)) return [...endOf(after, status), ...refundOf(after)]
  if (status === 'failed') return after.billingStatus === before.billingStatus ? [] : refundOf(after)
  if (status === 'completed') return []
  const events: Omit<TaskEvent, 'id' | 'at'>[] = []
  if (before.billingStatus === null && after.billingStatus === 'reserved' && after.phase === 'admitting')
    events.push({ type: 'queued', credits_used: after.creditsUsed })
  if (after.phase !== before.phase && (after.phase === 'accepted' || after.phase === 'copying')) events.push({ type: after.phase })
  if (after.percent > before.percent) events.push({ type: 'running', percent: after.percent })
  else if (after.position !== undefined && after.position !== before.position && after.percent < 0)
    events.push({ type: 'running', position: after.position })
  if (after.billingStatus === 'review' && before.billingStatus !== 'review') events.push({ type: 'in_review' })
  return events
}

function endOf(state: State, status: ReturnType<typeof shownStatus>): Omit<TaskEvent, 'id' | 'at'>[] {
  const { creditsUsed: credits_used, creditsRefunded: credits_refunded, videoUrl, error } = state
  if (status === 'completed')
    return [{ type: 'completed', credits_used, credits_refunded, ...(videoUrl !== null && { video_url: videoUrl }) }]
  return [{ type: 'failed', ...(error && { error }) }]
}

const refundOf = ({ billingStatus, creditsRefunded: credits_refunded }: State): Omit<TaskEvent, 'id' | 'at'>[] =>
  billingStatus === 'refunded' ? [{ type: 'refunded', credits_refunded }] : []

const rankOf = (status: BillingStatus | null): number => (status === null ? 0 : billingStatuses[status])
const isKeyOf = <T extends object>(table: T, key: unknown): key is keyof T => typeof key === 'string' && Object.hasOwn(table, key)
