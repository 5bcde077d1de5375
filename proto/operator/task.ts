import { type Static, Type } from '@sinclair/typebox'
import { ActRow } from './account'
import { added, nullable, number, text, textOrNull, time } from './answer'

/** `status` is what its client sees, or `declined`: refused before a reservation. */
export const TaskRow = Type.Object({
  ...{ id: text, account_id: text, status: text, phase: text, billing_status: textOrNull, model: text },
  ...{ credits_used: number, credits_refunded: number, error: textOrNull, created_at: time, updated_at: time },
})
export type TaskRow = Static<typeof TaskRow>

/** As it was measured; `shortfalls` name what was less than ordered. */
export const Delivery = Type.Object({
  ...{ duration_ms: number, width: number, height: number, frame_rate: number, video_codec: text },
  ...{ has_audio: Type.Boolean(), shortfalls: Type.Array(text) },
})
export type Delivery = Static<typeof Delivery>

export const GatewayTask = Type.Object({
  task: Type.Object({
    ...{ id: text, accountId: text, keyId: textOrNull, surface: text, fingerprint: text, model: text, mode: text },
    ...{ phase: text, billingStatus: textOrNull, creditsUsed: number, creditsRefunded: number, videoUrl: textOrNull },
    ...{ errorCode: textOrNull, errorMessage: textOrNull, errorDetails: Type.Unknown(), delivery: added(nullable(Delivery)) },
    ...{ createdAt: time, updatedAt: time, admitBy: time, tags: added(nullable(Type.Record(text, text))) },
  }),
  events: Type.Array(Type.Object({ kind: text, at: time, details: Type.Record(text, Type.Unknown()) })),
  acts: Type.Array(ActRow),
})
export type GatewayTask = Static<typeof GatewayTask>

/** A task in review: its account, and of the contract's VideoTask what is read. */
export const ReviewedTask = Type.Object({ id: text, account_id: text, model: text, credits_used: number, created_at: time })
export type ReviewedTask = Static<typeof ReviewedTask>

export const ProbeTask = Type.Object({
  verification: Type.Object({
    ...{ task_id: text, account_id: text, state: text, object_keys: nullable(Type.Array(text)), created_at: time, changed_at: time },
  }),
})
export type ProbeTask = Static<typeof ProbeTask>

/** The names of the events that a service published to repeat what it knows of a task, or to end it. */
export const PublishedEvents = Type.Object({ published: Type.Array(text) })
export type PublishedEvents = Static<typeof PublishedEvents>

/** `asked`: its provider has been asked, and decides. */
export const CancelledTask = Type.Object({ task_id: text, status: Type.Union([Type.Literal('cancelled'), Type.Literal('asked')]) })
export type CancelledTask = Static<typeof CancelledTask>

/** Decisions about media that media-probe takes back in one call, and how many of them it did not have. */
export const decisionsMax = 20
export const RestoredDecisions = Type.Object({ restored: number })
export type RestoredDecisions = Static<typeof RestoredDecisions>

/** `copied_bytes`: 0 where the store has it. */
export const RestoredOutput = Type.Object({ task_id: text, copied_bytes: number })
export type RestoredOutput = Static<typeof RestoredOutput>

/** How many rows a service published again; `next`: ask again behind it, null once all have been. */
export const ReplayPart = Type.Object({ rows: number, next: textOrNull })
export type ReplayPart = Static<typeof ReplayPart>
