import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { ClientGoneError, Failure } from '@filmgate/kit/failure'
import { uuidv7 } from 'uuidv7'
import type { Catalog } from '../catalog/catalog-table'
import { checkRequest } from '../catalog/check-request'
import { orderOf } from '../catalog/order-of'
import type { GenerationRequest } from '../catalog/request'
import { type BatchedRead, createBatchedRead } from '../database/batched-read'
import type { Reason } from '../errors'
import { throwUnlessBound } from '../keys/bindings/read-bindings'
import type { Caller } from '../keys/find-caller'
import type { RefusalBudget } from '../rate-limit/refusal-budget'
import type { Tags } from '../tags/read-tags'
import type { Surface, Task } from '../tasks/task'
import { newTaskId } from '../tasks/task-id'
import { findBound, findTasks, type IdempotencyScope } from '../tasks/task-repository'
import type { TaskWatch } from '../tasks/watch'
import { admissionOver, admissionTimedOut, notOffered, throwIfRefused } from './answer'
import { fingerprintOf } from './idempotency'
import type { NewRequest, RecordRequest } from './record-request'
import { refuseForeignUploads } from './refuse-uploads'

export type CreateDeps = {
  findBound: BatchedRead<IdempotencyScope, Task | undefined>
  findTask(id: string): Promise<Task | undefined>
  currentCatalog(): Catalog
  refusals: Pick<RefusalBudget, 'throwIfSpent'>
  /** Whether its offer lets an order of this model pass. */
  takeOrder(model: string): boolean
  /** The order that passed was refused before it reached a provider. */
  giveOrderBack(model: string): void
  recordRequest: RecordRequest
  watch: Pick<TaskWatch, 'wait'>
  /** False while the broker does not answer: then no new request is recorded. */
  brokerConnected(): boolean
  /** While databases are brought back no new request is recorded. */
  recovering?: boolean
  now(): Date
  admissionTimeoutMs: number
}

export type Created = { task: Task; replayed: boolean }

const readTimeoutMs = 3_000
const brokerRetrySeconds = 5
const recoveryRetrySeconds = 60
/** Past its admit_by a task may never be admitted: a client that asks again waits only so long. */
const lateWaitMs = 5_000

/** Reads by Idempotency-Key; those of one moment share a statement. */
export function createFindBound(sql: Sql): CreateDeps['findBound'] {
  return createBatchedRead<IdempotencyScope, Task | undefined>(async scopes => {
    const found = await findBound(sql, scopes)
    const byScope = new Map(found.map(task => [`${task.keyId} ${task.idempotencyKey}`, task]))
    return scopes.map(scope => byScope.get(`${scope.keyId} ${scope.idempotencyKey}`))
  })
}

export function createFindTask(sql: Sql): CreateDeps['findTask'] {
  return async id => (await withDeadline(findTasks(sql, [id]), readTimeoutMs, 'the database'))[0]
}

/**
 * Records a request and waits until a provider has accepted the generation or it is refused. A key that is bound answers with its task; the
 * same request again, while the first is being admitted, waits for the same outcome.
 */
export async function createGeneration(
  deps: CreateDeps,
  { signal, ...asking }: Omit<CreateInput, 'fingerprint'> & { fingerprint?: Buffer; signal: AbortSignal },
): Promise<Created> {
  const { fingerprint = fingerprintOf(asking.body) } = asking
  const startedMs = performance.now()
  const request = await requestOrBound(deps, { ...asking, fingerprint })
  if ('bound' in request) return replay(deps, request.bound, fingerprint, signal)
  const { model } = request.task
  await asking.prepare?.(request.task.id).catch(error => {
    deps.giveOrderBack(model)
    throw error
  })
  // Watch before writing: the outcome can be there before the write returns.
  const outcome = awaitAdmission(deps, request.task.id, deps.admissionTimeoutMs, signal)
  const leftMs = asking.prepare ? Math.max(1, asking.leftMs - (performance.now() - startedMs)) : asking.leftMs
  const recorded = await deps.recordRequest(request, leftMs).catch(error => {
    outcome.cancel()
    deps.giveOrderBack(model)
    throw error
  })
  if (!recorded.fresh) {
    outcome.cancel()
    deps.giveOrderBack(model)
    return replay(deps, recorded.bound, fingerprint, signal)
  }
  const task = await outcome.task
  if (task.phase === 'declined') deps.giveOrderBack(model)
  throwIfRefused(task, deps.now())
  return { task, replayed: false }
}

/**
 * `leftMs`: what the database may take yet, so that the answer is there in time although it is silent. `refusal`: what was wrong with a body
 * of another format; a key that is bound is answered all the same. `kept`: fields of the request that the task shows later. `prepare`: what
 * has to be there before the task with this id; where it refuses, nothing is recorded.
 */
type CreateInput = {
  caller: Caller
  surface: Surface
  memberId?: string | undefined
  leftMs: number
  idempotencyKey: string
  fingerprint: Buffer
  tags: Tags | null
  /** The client's own deadline, from now on. */
  cancelAfterSeconds?: number | undefined
  body: unknown
  refusal?: Failure<Reason> | undefined
  kept?: object
  prepare?: ((taskId: string) => Promise<void>) | undefined
}

/**
 * The new request; or, where it can't be recorded, the task that the key is bound to: a replay is answered although the card has changed or
 * the broker is gone. Otherwise a bound key is found when the request is recorded, which spares a read.
 */
async function requestOrBound(deps: CreateDeps, input: CreateInput): Promise<NewRequest | { bound: Task }> {
  const findBound = () => deps.findBound({ keyId: input.caller.keyId, idempotencyKey: input.idempotencyKey }, input.leftMs)
  // A retry prepares nothing: no task would ever have its id.
  const earlier = input.prepare && (await findBound())
  if (earlier) return { bound: earlier }
  try {
    throwWhileRecovering(deps)
    const request = newRequestOf(deps, input)
    if (!deps.brokerConnected())
      throw new Failure<Reason>('service_unavailable', { retryAfterSeconds: brokerRetrySeconds, internal: 'the broker does not answer' })
    await deps.refusals.throwIfSpent(input.caller.accountId)
    if (!deps.takeOrder(request.task.model)) throw notOffered()
    return request
  } catch (failure) {
    const bound = await findBound()
    if (bound) return { bound }
    throw failure
  }
}

/** Also for what a restored gateway may have lost: whether its Idempotency-Key is bound is known only once recovery has ended. */
export function throwWhileRecovering({ recovering }: { recovering?: boolean }): void {
  if (!recovering) return
  throw new Failure<Reason>('service_unavailable', {
    message:
      'Data is being restored. Nothing was recorded or charged by this request. Send it again with the same Idempotency-Key after the seconds in Retry-After.',
    retryAfterSeconds: recoveryRetrySeconds,
    internal: 'recovery mode',
  })
}

function newRequestOf(deps: CreateDeps, input: CreateInput): NewRequest {
  const { caller, surface, memberId, idempotencyKey, fingerprint, tags, cancelAfterSeconds, body, refusal, kept = null } = input
  if (refusal) throw refusal
  const checked = checkRequest(deps.currentCatalog(), body)
  if (!checked.ok) throw new Failure<Reason>(checked.code, { details: { issues: checked.issues } })
  const { model, request } = checked
  throwUnlessBound(caller, request.model)
  refuseForeignUploads(model, request, caller.accountId)
  const price = model.price(request)
  if (request.max_credits !== undefined && price.credits > request.max_credits) {
    const details = { price_credits: price.credits, max_credits: request.max_credits, price_version: price.priceVersion }
    throw new Failure<Reason>('max_credits_exceeded', { details })
  }
  if (!model.available) throw notOffered()
  const createdAt = deps.now()
  const task = {
    id: newTaskId(),
    accountId: caller.accountId,
    keyId: caller.keyId,
    surface,
    idempotencyKey,
    fingerprint,
    prompt: request.prompt,
    model: request.model,
    mode: request.mode,
    resolution: request.resolution,
    billedSeconds: price.billedSeconds,
    request: surface === 'web' ? otherFields(request) : kept,
    breakdown: price.breakdown,
    priceVersion: price.priceVersion,
    tags,
    ...(cancelAfterSeconds !== undefined && { cancelAt: new Date(createdAt.getTime() + cancelAfterSeconds * 1_000) }),
    createdAt,
    eventId: uuidv7(),
    admitBy: new Date(createdAt.getTime() + deps.admissionTimeoutMs),
  }
  return { task, order: { ...orderOf(model, request, price), memberId: memberId ?? '' } }
}

/** What a task's row has no column of its own for. */
const otherFields = ({ model: _, mode: __, prompt: ___, ...others }: GenerationRequest) => others

/** The same key again: another body is refused; the same body gets the task, or the outcome its first POST is waiting for. */
async function replay(deps: CreateDeps, bound: Task, fingerprint: Buffer, signal: AbortSignal): Promise<Created> {
  if (!bound.fingerprint.equals(fingerprint)) throw new Failure<Reason>('idempotency_key_reused')
  if (admissionOver(bound)) return { task: bound, replayed: true }
  const leftMs = bound.admitBy.getTime() - deps.now().getTime()
  const task = await awaitAdmission(deps, bound.id, Math.min(Math.max(leftMs, lateWaitMs), deps.admissionTimeoutMs), signal).task
  throwIfRefused(task, deps.now())
  return { task, replayed: true }
}

function awaitAdmission(deps: CreateDeps, taskId: string, timeoutMs: number, signal: AbortSignal) {
  const cancelled = new AbortController()
  async function wait(): Promise<Task> {
    const task = await deps.watch.wait(taskId, admissionOver, timeoutMs, AbortSignal.any([signal, cancelled.signal]))
    if (task) return task
    if (signal.aborted || cancelled.signal.aborted) throw new ClientGoneError()
    throw admissionTimedOut(await deps.findTask(taskId))
  }
  const task = wait()
  // A wait that was cancelled rejects, and its rejection is awaited by nobody.
  task.catch(() => {})
  return { task, cancel: () => cancelled.abort() }
}
