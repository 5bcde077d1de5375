import type { OriginCredential, TrustedOrigin } from '@filmgate/kit/safe-fetch/fetch-policy'
import type { MediaKind, Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { FieldMappings, RouteMapping } from './mapping/field-mapping'

/** A managed copy, and the address at which a provider may fetch it. */
export type HandedMedia = { kind: MediaKind; field: string; index: number; url: string }

export type Submission = {
  attemptId: string
  providerModel: string
  order: Order
  /** The provider's mapping of our fields: the route's, or its own. */
  mapping: RouteMapping
  media: HandedMedia[]
  /** Where the provider may call back; a hint only. */
  callbackUrl: string | undefined
}

/** What a refusal says of our account at a provider: it takes no other order either. */
export type AccountState = 'key_refused' | 'no_balance'

/** Why no provider took an order: the content rules refused it, or anything else. */
export type RefusalCode = 'prompt_rejected' | 'generation_unavailable'

/**
 * What a provider says that it charges for a generation, in millionths: US dollars, or units of its own whose price the route has. Read by
 * `billedUsd` and `billedUnits`.
 */
export type Billed = { microUsd: number } | { microUnits: number }

/**
 * Everything a submit can end as. What is not certain to be one of the first two is `unknown`. `echoed`: the answer repeats our id.
 * `inputsUnread`: refused because it couldn't read our copies of the inputs. `account`: refused because of our key or balance. `unsent`: no answer
 * of the provider's. `billed`: what the answer says of its cost.
 */
export type SubmitOutcome =
  | { outcome: 'accepted'; providerTaskId: string; echoed: boolean; billed?: Billed | undefined }
  | { outcome: 'refused'; code: RefusalCode; cause: string; inputsUnread?: boolean; account?: AccountState; unsent?: boolean }
  | { outcome: 'unknown'; cause: string }

/** What became of putting inputs where a provider takes them: their addresses there (`data:` where the submit holds them), or why nothing is submitted. */
export type Uploaded = { outcome: 'uploaded'; media: HandedMedia[] } | Extract<SubmitOutcome, { outcome: 'refused' }>

export const phases = ['queued', 'generating'] as const
/** What a provider tells of a generation that runs, each where it does. `queuePosition`: how many are before it, or its place, as the provider counts. */
export type Progress = { phase: (typeof phases)[number]; queuePosition?: number; percent?: number }

/**
 * `prompt_rejected` of a failure: the provider looked at the content only after it had accepted. `missing`: the provider knows no such id, or answers with somebody else's generation.
 * `cancelled`: ended at the provider by a cancel, ours or another's, without a video.
 * `inputs-unread`: failed because it couldn't read our copies of the inputs. `extraOutputs`: videos beside the one ordered. `billed`: what the provider says of its cost; absent where it says nothing.
 */
export type PollAnswer =
  | { status: 'running'; unknownWord?: string; progress?: Progress }
  | { status: 'succeeded'; outputUrl: string; extraOutputs?: number; billed?: Billed | undefined }
  | { status: 'failed'; code: 'generation_failed' | 'prompt_rejected' | 'output_moderated'; cause: string; billed?: Billed | undefined }
  | { status: 'cancelled'; cause: string; billed?: Billed | undefined }
  | { status: 'inputs-unread'; cause: string; billed?: Billed | undefined }
  | { status: 'missing' }

/** `echoed`: the provider repeats our id beside its own, so an answer that doesn't is about something else. */
export type Polled = { attemptId: string; providerTaskId: string; providerModel: string; echoed: boolean }

/** What a provider has of ours, by its id and the model it was submitted to. */
export type ProviderTask = Pick<Polled, 'providerTaskId' | 'providerModel'>

/** Pauses between look-ups of one attempt: the first one, times `growth` for each that follows, up to the longest. */
export type Cadence = { firstMs: number; growth: number; maxMs: number }

/**
 * Pauses between polls of one attempt: this part of its age since it was accepted, within these bounds. With 0.1 nobody waits for a video more
 * than a tenth longer because we had not asked, and whatever runs for long is asked about seldom.
 */
export type PollCadence = { firstMs: number; ofAge: number; maxMs: number }

/** What all dispatchers together ask a provider at most: attempts that they begin to ask about in a second, and that are being asked about at once. */
export type Budget = { perSecond: number; atOnce: number }

/** Where no page names a limit of reads: bounds of our own. A 429 says when it is too much. */
export const undocumentedBudget: Budget = { perSecond: 5_000, atOnce: 800 }

/** Where no page says how long a generation may run. */
export const undocumentedGenerationMs = 3_600_000

/** What a provider offers, as its documents say it. Where they don't, the value is the careful one and its comment says so. */
export type Capabilities = {
  /** It takes the place of providers and makes no real videos: it serves a model only where no other configured provider has a route for it. */
  standsIn: boolean
  /** `idempotent`: one generation however often it is submitted under an id of ours. `echoed`: answers repeat it. `none`: it has no place for one. */
  ownId: 'idempotent' | 'echoed' | 'none'
  /** Every task of ours repeats that id whenever its provider is asked for it: one that repeats none isn't ours. */
  carriesOwnId: boolean
  /**
   * What can be found of a submit whose answer was lost: by our own id, in a list of what has ended, or nothing. `own-id-if-found`: what is
   * not found may be there all the same, so that it proves nothing however often.
   */
  lookUp: 'own-id' | 'own-id-if-found' | 'ended-only' | 'none'
  /** How long something accepted may be invisible to a look-up or a poll; absence that is seen sooner proves nothing. */
  visibilityMs: number
  /** How long a generation may run after its submit: so long a review of it counts among its account's unfinished tasks. */
  generationMsMax: number
  /** `signed`: what the gateway verified of it may name the provider's id of a submit whose answer was lost. */
  callback: 'signed' | 'unsigned' | 'none'
  /** Until when a generation can be cancelled. */
  cancel: 'queued' | 'running' | 'none'
  billedOnFailure: 'never' | 'sometimes'
  /** By which an answer says that its content rules withheld a video or refused what it was to be made of. */
  moderationWords: readonly string[]
  /** How long an answer of the provider's, and an output, is there after the generation's end. Undefined: not documented. */
  resultExpiryMs: number | undefined
  outputExpiryMs: number | undefined
}

/** What the dispatcher asks of a provider. A connector knows wire words; it decides nothing about money. */
export type Connector = {
  provider: string
  /** Of the key that it uses. Absent where that can't change at run time. */
  keyDigest?: string
  capabilities: Capabilities
  cadence: PollCadence
  budget: Budget
  /** Attempts in one poll. */
  pollSizeMax: number
  /** Origins an output may come from beside the public internet. */
  outputOrigins: TrustedOrigin[]
  /** Told to the one origin that hands outputs out only to whoever has our key. Absent where anybody may fetch them. */
  outputCredential?: OriginCredential
  /** Why a model of a route is no more to be had there; undefined where nothing is known of that. Said at the start, and it changes no route. */
  closedModel?(providerModel: string): string | undefined
  /** Its mapping of our fields and of `mode`, for a route that brings none. Absent where each route brings one. */
  fields?: FieldMappings
  /** Puts inputs where the provider can read them, or reads them for a submit that holds them. Absent where it reads our store. Never throws. */
  uploadInputs?(media: HandedMedia[], signal: AbortSignal): Promise<Uploaded>
  /** Calls once and never again; never throws. */
  submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome>
  /** Answers in the order asked, undefined for one without a usable answer; throws where there was none at all. */
  poll(polled: Polled[], signal: AbortSignal): Promise<(PollAnswer | undefined)[]>
  /** Whose generation an id of the provider's is: our own id beside it, null where the provider repeats none. Undefined where it knows no such id. */
  identify(providerTask: ProviderTask, signal: AbortSignal): Promise<{ attemptId: string | null } | undefined>
  /** Whether the provider takes our key, by a call that costs nothing; throws where it gives no answer that says so. */
  checkKey(signal: AbortSignal): Promise<'accepted' | 'refused'>
  /**
   * Asks the provider to cancel: `taken` says only that it heard, `refused` that it does not cancel this one; throws where it gives no usable
   * answer. Absent where it offers none.
   */
  cancel?(polled: Polled, signal: AbortSignal): Promise<'taken' | 'refused'>
  /** The provider's id of what was accepted under our own id. Absent where the provider offers no such look-up: then only an operator can heal. */
  lookUp?(attemptId: string, signal: AbortSignal): Promise<string | undefined>
}
