import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import { testDatabase } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Elysia } from 'elysia'
import type { PriceLine } from '../../catalog/compile-price'
import type { PipelineEvent } from '../../projection/pipeline-event'
import { recordUsage } from '../../projection/record-usage'
import type { Tags } from '../../tags/read-tags'
import { listTasks } from '../../tasks/list-routes'
import { newTaskId } from '../../tasks/task-id'
import { insertTasks } from '../../tasks/task-repository'
import { usage } from '../routes'

export const day = (text: string) => new Date(`2026-11-${text}Z`)

/** As of 5 s with 10 s of reference video. */
export const breakdown: PriceLine[] = [
  { item: 'output', quantity: 5, unit: 'second', rate: 5, credits: 25 },
  { item: 'input_video', quantity: 10, unit: 'second', rate: 1.7, credits: 17 },
]

export const reserved = (taskId: string, credits: bigint, available: bigint, at: Date): PipelineEvent =>
  create(CreditsEventSchema, {
    event: { case: 'creditsReserved', value: { order: { taskId, credits }, available, at: timestampFromDate(at) } },
  }).event
export const refunded = (taskId: string, credits: bigint, available: bigint, at: Date): PipelineEvent =>
  create(CreditsEventSchema, { event: { case: 'creditsRefunded', value: { taskId, credits, available, at: timestampFromDate(at) } } }).event

export type Page = {
  data: {
    id: string
    task_id: string
    kind: string
    surface: string | null
    key_id: string | null
    tags: Tags | null
    model: string | null
    credits: number
    balance_after: number
  }[]
  next_cursor: string | null
}

/** Accounts, their tasks and their usage, in a database of their own. */
export async function usageRecords() {
  const { sql, drop } = await testDatabase(join(import.meta.dir, '../../../migrations'))

  async function newAccount(): Promise<string> {
    const id = `acct_${crypto.randomUUID()}`
    await sql`insert into account (id, name) values (${id}, 'test')`
    return id
  }

  async function newTask(
    accountId: string,
    { model = 'alpha-h3', surface = 'api', billing = 'reserved', phase = 'accepted', keyId = 'k', tags = null as Tags | null } = {},
  ): Promise<string> {
    const task = {
      id: newTaskId(),
      accountId,
      keyId,
      surface: 'api' as const,
      prompt: 'a cat',
      idempotencyKey: crypto.randomUUID(),
      fingerprint: Buffer.alloc(32),
      model,
      mode: 'text-to-video',
      resolution: '768p',
      billedSeconds: 5,
      request: null,
      breakdown,
      priceVersion: 'p1',
      tags,
      createdAt: new Date(),
      admitBy: new Date(),
      eventId: crypto.randomUUID(),
    }
    await insertTasks(sql, [task], insertOutbox(sql, []), 600_000)
    await sql`update task set surface = ${surface}, billing_status = ${billing}, phase = ${phase} where id = ${task.id}`
    return task.id
  }

  const record = (events: PipelineEvent[]) => recordUsage(sql, events)

  /** The routes as `accountId` sees them. */
  function client(accountId: string) {
    const caller = {
      findCaller: async () => ({ accountId, keyId: 'k' }),
      takeToken: async () => ({ taken: true, left: 1, waitMs: 0 }),
      takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
      giveAddressTokenBack: () => {},
      clientAddress: () => '',
      rateLimit: 30,
      addressRateLimit: 120,
    }
    const deps = { sql: sql, now: () => day('30T00:00:00'), ...caller }
    const app = new Elysia({ normalize: false }).use(usage(deps)).use(listTasks(deps))
    const ask = (path: string, accept: string) =>
      app.handle(new Request(`http://localhost${path}`, { headers: { authorization: 'Bearer x', accept } }))
    return {
      get: async (path: string): Promise<Page> => (await ask(path, 'application/json')).json() as Promise<Page>,
      async csv(path: string) {
        const response = await ask(path, 'text/csv')
        return { headers: response.headers, text: await response.text() }
      },
    }
  }

  return { sql, newAccount, newTask, record, client, drop }
}
