import { expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { FieldKind, FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { compileCard } from '../catalog/compile-card'
import { testCard, testCatalog } from '../catalog/testing/cards'
import type { Task } from '../tasks/task'
import { type CreateDeps, createGeneration } from './create-generation'
import { fingerprintOf } from './idempotency'

const body = { model: 'test-1', prompt: 'a boat' }
const card = testCard()
card.modes[0]?.fields.push(create(FieldSchema, { name: 'max_credits', kind: FieldKind.INTEGER, min: 1n, max: 99n }))
const catalog = { ...testCatalog(card), models: new Map([[card.model, compileCard(card, false)]]) }

/** Asks for a model that no configured provider has; `bound` is the task its key has. */
async function ask(of: object, bound?: Task, given: Partial<CreateDeps> = {}) {
  const recorded: unknown[] = []
  const deps: CreateDeps = {
    findBound: async () => bound,
    findTask: async () => undefined,
    currentCatalog: () => catalog,
    refusals: { throwIfSpent: async () => {} },
    takeOrder: () => true,
    giveOrderBack: () => {},
    recordRequest: async request => {
      recorded.push(request)
      return { fresh: true }
    },
    watch: { wait: () => new Promise(() => {}) },
    brokerConnected: () => true,
    now: () => new Date(),
    admissionTimeoutMs: 1_000,
    ...given,
  }
  const caller = { accountId: 'a', keyId: 'k' }
  const asked = {
    caller,
    surface: 'api' as const,
    leftMs: 1_000,
    idempotencyKey: 'i',
    tags: null,
    body: of,
    signal: new AbortController().signal,
  }
  const end = await createGeneration(deps, asked).catch(error => error)
  expect(recorded).toEqual([])
  return end
}

test('a model that no configured provider has is refused before anything is recorded, with when to ask again', async () => {
  const end = await ask(body)
  expect(end).toBeInstanceOf(Failure)
  const { reason, options } = end as Failure
  expect({ reason, ...options }).toEqual({ reason: 'generation_unavailable', message: expect.any(String), retryAfterSeconds: 60 })
})

test('what is wrong with the body, and a price above max_credits, is said first', async () => {
  expect((await ask({ ...body, duration: 99 })).reason).toBe('invalid_request')
  expect((await ask({ ...body, max_credits: 1 })).reason).toBe('max_credits_exceeded')
})

test('a key that is bound already answers with its task', async () => {
  const task = { id: 'vt_1', phase: 'completed', billingStatus: 'settled', fingerprint: fingerprintOf(body) } as Task
  expect(await ask(body, task)).toEqual({ task, replayed: true })
})

test('a model whose offer lets no further order pass is refused the same, and a bound key still answers', async () => {
  const spent: Partial<CreateDeps> = { currentCatalog: () => testCatalog(testCard()), takeOrder: () => false }
  expect((await ask(body, undefined, spent)).reason).toBe('generation_unavailable')
  const task = { id: 'vt_1', phase: 'completed', billingStatus: 'settled', fingerprint: fingerprintOf(body) } as Task
  expect(await ask(body, task, spent)).toEqual({ task, replayed: true })
})

test('an account over its budget of refusals creates nothing, and a bound key still answers', async () => {
  const spent: Partial<CreateDeps> = {
    currentCatalog: () => testCatalog(testCard()),
    refusals: { throwIfSpent: () => Promise.reject(new Failure('rate_limited')) },
    takeOrder: () => {
      throw new Error('no order of a model is taken for it')
    },
  }
  expect((await ask(body, undefined, spent)).reason).toBe('rate_limited')
  const task = { id: 'vt_1', phase: 'completed', billingStatus: 'settled', fingerprint: fingerprintOf(body) } as Task
  expect(await ask(body, task, spent)).toEqual({ task, replayed: true })
})

test('a task of the console keeps the fields of its request; one of the API keeps none, since its URLs may be secrets', async () => {
  const keptOf = async (surface: 'api' | 'web') => {
    const kept: unknown[] = []
    const deps = {
      ...{ findBound: async () => undefined, currentCatalog: () => testCatalog(testCard()), takeOrder: () => true, giveOrderBack() {} },
      refusals: { throwIfSpent: async () => {} },
      ...{
        watch: { wait: async () => ({ phase: 'accepted' }) },
        brokerConnected: () => true,
        now: () => new Date(),
        admissionTimeoutMs: 1_000,
      },
      recordRequest: async ({ task }: { task: { request: object | null } }) => {
        kept.push(task.request)
        return { fresh: true }
      },
    } as unknown as CreateDeps
    const caller = { accountId: 'a', keyId: 'k' }
    await createGeneration(deps, {
      caller,
      surface,
      leftMs: 1_000,
      idempotencyKey: 'i',
      tags: null,
      body,
      signal: new AbortController().signal,
    })
    return kept
  }
  expect(await keptOf('api')).toEqual([null])
  expect(await keptOf('web')).toEqual([expect.objectContaining({ duration: expect.any(Number), resolution: expect.any(String) })])
})

test('while databases are brought back nothing is recorded, and a bound key still answers', async () => {
  const recovering: Partial<CreateDeps> = { currentCatalog: () => testCatalog(testCard()), recovering: true }
  const { reason, options } = await ask(body, undefined, recovering)
  expect({ reason, retryAfterSeconds: options.retryAfterSeconds }).toEqual({ reason: 'service_unavailable', retryAfterSeconds: 60 })
  expect(options.message).toContain('Nothing was recorded or charged by this request')
  const task = { id: 'vt_1', phase: 'completed', billingStatus: 'settled', fingerprint: fingerprintOf(body) } as Task
  expect(await ask(body, task, recovering)).toEqual({ task, replayed: true })
})
