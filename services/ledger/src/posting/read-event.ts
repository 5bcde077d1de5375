import { create, toBinary } from '@bufbuild/protobuf'
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { isTimeZone } from '@filmgate/kit/calendar/period'
import { Failure } from '@filmgate/kit/failure'
import { type GenerationCompleted, GenerationsEventSchema, type GenerationUncertain } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { type Order, Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import {
  Balance,
  type BudgetSet,
  type ChangeIdReused,
  type CreditsDebited,
  type CreditsGranted,
  type GenerationRequested,
  GenerationRequestedSchema,
  RequestsEventSchema,
  BudgetScope as WireScope,
} from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode } from '@filmgate/proto/topics'
import type { BudgetScope } from '../books/budget'
import type { ChangeCredits, Conclude, Instruction, ReportReuse, SetBudget } from '../books/instruction'
import { reviewCountsMsMax } from '../books/reservation'
import type { Cause } from '../books/reservation-states'

/*
 * Bytes to instructions. Undefined for events that move no credits, and for kinds that only a newer producer knows. A message that can't be
 * followed throws, so that the bus sets it aside alone and handles the rest of the batch.
 */

export function readRequest(bytes: Uint8Array): Instruction | undefined {
  const { event } = decode(RequestsEventSchema, bytes)
  switch (event.case) {
    case 'generationRequested':
      return readReserve(event.value)
    case 'accountOpened':
      return { kind: 'open_account', accountId: id(event.value.accountId, 'account_id') }
    case 'accountLimitsSet': {
      const { accountId, unfinishedTasksMax = null, version } = event.value
      return { kind: 'set_limits', accountId: id(accountId, 'account_id'), unfinishedMax: unfinishedTasksMax, version: Number(version) }
    }
    case 'creditsGranted':
      return readChange('grant', event.value.grantId, event.value)
    case 'creditsDebited':
      return readChange('debit', event.value.debitId, event.value, event.value.beyondBalance)
    case 'changeIdReused':
      return readReuse(event.value)
    case 'budgetSet':
      return readBudget(event.value)
    default:
      return undefined
  }
}

/**
 * In recovery mode: without a request that does not say what was held for it. The restored books may have lost its reservation, and would decline
 * it for its admission or its balance while its video is made. One that nobody has decided is published again by its gateway afterwards.
 */
export function readRequestInRecovery(bytes: Uint8Array): Instruction | undefined {
  const instruction = readRequest(bytes)
  return instruction?.kind === 'reserve' && !instruction.held ? undefined : instruction
}

export function readMedia(bytes: Uint8Array): Instruction | undefined {
  const { event } = decode(MediaEventSchema, bytes)
  return event.case === 'mediaRejected' ? noVideo(event.value, 'refused') : undefined
}

export function readGeneration(bytes: Uint8Array): Instruction | undefined {
  const { event } = decode(GenerationsEventSchema, bytes)
  switch (event.case) {
    case 'generationUncertain':
      return { ...conclude(event.value, 'uncertain'), ...mayRunUntilOf(event.value) }
    case 'generationCompleted':
      return {
        ...conclude(event.value, 'completed'),
        ...dueCreditsOf(event.value),
        ...(event.value.provider && { provider: event.value.provider }),
      }
    case 'generationRefused':
      return noVideo(event.value, 'refused')
    case 'generationFailed':
      return noVideo(event.value, 'failed')
    // An acceptance changes no state: a reservation stays reserved, or in review, until the verdict.
    default:
      return undefined
  }
}

function readReserve(requested: GenerationRequested): Instruction {
  const { order, held } = requested
  if (!order) throw malformed('a request without an order')
  return {
    kind: 'reserve',
    accountId: id(order.accountId, 'account_id'),
    taskId: id(order.taskId, 'task_id'),
    surface: readSurface(order.surface),
    // A task of the console has no key of its own.
    keyId: order.surface === Surface.API && order.keyId ? id(order.keyId, 'key_id') : null,
    memberId: order.memberId ? id(order.memberId, 'member_id') : null,
    credits: credits(order.credits),
    priceVersion: id(order.priceVersion, 'price_version'),
    admitByMs: time(order.admitBy, 'admit_by'),
    order,
    request: requested.idempotencyKey ? keptRequest(requested, order) : undefined,
    held: held && { starter: Number(held.starter), ended: held.ended },
  }
}

/** Prompts and media URLs are forgotten when a reservation ends, and prices and limits are the card's. */
function keptRequest({ idempotencyKey, fingerprint, tags }: GenerationRequested, { mediaLimits: _, ...order }: Order): Uint8Array {
  const kept = { ...order, prompt: '', inputs: [], values: {}, prices: [] }
  return toBinary(GenerationRequestedSchema, create(GenerationRequestedSchema, { idempotencyKey, fingerprint, tags, order: kept }))
}

function readChange(
  kind: 'grant' | 'debit',
  changeId: string,
  asked: CreditsGranted | CreditsDebited,
  beyondBalance = false,
): ChangeCredits {
  const accountId = id(asked.accountId, 'account_id')
  if (asked.balance !== Balance.PAID && asked.balance !== Balance.STARTER) throw malformed(`balance ${asked.balance}`)
  // Starter credits are given, never sold: nothing can be owed of them.
  if (beyondBalance && asked.balance !== Balance.PAID) throw malformed('a debit beyond the starter balance')
  const change = {
    id: id(changeId, `${kind}_id`),
    kind,
    accountId,
    balance: asked.balance === Balance.PAID ? ('paid' as const) : ('starter' as const),
    credits: credits(asked.credits),
    reason: words(asked.reason, 'reason'),
    operator: words(asked.operator, 'operator'),
    beyondBalance,
  }
  return { kind: `${kind}_credits`, accountId, change }
}

const readReuse = ({ changeId, accountId, asked, known }: ChangeIdReused): ReportReuse => ({
  kind: 'report_reuse',
  accountId: id(accountId, 'account_id'),
  changeId: id(changeId, 'change_id'),
  asked: words(asked, 'asked'),
  known: words(known, 'known'),
})

const scopes: Partial<Record<WireScope, BudgetScope>> = {
  [WireScope.KEY]: 'key',
  [WireScope.MEMBER]: 'member',
  [WireScope.ACCOUNT]: 'account',
}

function readBudget({ accountId, scope, subjectId, totalMax, dayMax, monthMax, timeZone, version }: BudgetSet): SetBudget {
  const known = scopes[scope]
  if (!known) throw malformed(`scope ${scope}`)
  // A zone that this runtime does not know would stop every later batch of the account.
  if (!isTimeZone(timeZone)) throw malformed(`time_zone ${JSON.stringify(timeZone.slice(0, 100))}`)
  if (version < 1n || version > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed(`version ${version}`)
  const subject = { accountId: id(accountId, 'account_id'), scope: known, subjectId: id(subjectId, 'subject_id') }
  const caps = { total: cap(totalMax), day: cap(dayMax), month: cap(monthMax) }
  return { kind: 'set_budget', accountId: subject.accountId, budget: { ...subject, caps, version: Number(version) }, timeZone }
}

function cap(value: bigint | undefined): number | null {
  if (value === undefined) return null
  if (value < 0n || value > creditsMax) throw malformed(`cap ${value}`)
  return Number(value)
}

/** Any number is taken: the verdict stands whatever it says is due, and a wrong price is a finding. */
const dueCreditsOf = ({ dueCredits }: GenerationCompleted) => (dueCredits === undefined ? {} : { dueCredits: Number(dueCredits) })

/** A dispatcher that doesn't tell it leaves the longest bound there is. */
function mayRunUntilOf({ mayRunUntil, at }: GenerationUncertain) {
  if (mayRunUntil) return { mayRunUntilMs: timestampMs(mayRunUntil) }
  return at ? { mayRunUntilMs: timestampMs(at) + reviewCountsMsMax } : {}
}

const conclude = (event: { taskId: string; accountId: string }, cause: Cause): Conclude => ({
  kind: 'conclude',
  accountId: id(event.accountId, 'account_id'),
  taskId: id(event.taskId, 'task_id'),
  cause,
})

const noVideo = (event: { taskId: string; accountId: string; at?: Timestamp | undefined }, cause: 'refused' | 'failed'): Conclude => ({
  ...conclude(event, cause),
  ...(event.at && { verdictAtMs: timestampMs(event.at) }),
})

function readSurface(surface: Surface) {
  if (surface === Surface.API) return 'api'
  if (surface === Surface.WEB) return 'web'
  throw malformed(`surface ${surface}`)
}

/** Far more than anyone buys, and far less than a balance can hold. */
const creditsMax = 1_000_000_000_000n

function credits(value: bigint): number {
  if (value < 1n || value > creditsMax) throw malformed(`credits ${value}`)
  return Number(value)
}

function id(value: string, field: string): string {
  // Postgres takes no NUL in a text.
  if (value === '' || value.length > 200 || value.includes('\0')) throw malformed(`${field} ${JSON.stringify(value.slice(0, 200))}`)
  return value
}

/** As it was written. Postgres takes no NUL in a text. */
function words(value: string, field: string): string {
  if (value.includes('\0')) throw malformed(`${field} with a NUL`)
  return value
}

function time(value: Timestamp | undefined, field: string): number {
  if (!value) throw malformed(`no ${field}`)
  return timestampMs(value)
}

const malformed = (what: string) => new Failure('malformed_event', { internal: `malformed event: ${what}` })
