import { join } from 'node:path'
import { pause } from '@filmgate/kit/deadline'
import { renderError } from '@filmgate/kit/http/render-error'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { reasons } from '../../errors'
import { createFindBound, createFindTask } from '../../generations/create-generation'
import { createRecordRequest } from '../../generations/record-request'
import { findTasks } from '../../tasks/task-repository'
import { shapeOpenAi } from '../error-view'
import { type OpenAiDeps, openAiModels, openAiVideos } from '../routes'

export const baseUrl = 'https://videos.example.com'

/** The routes before a database and a bucket of their own. Behind the gateway each request is accepted at once. */
export async function openAiApi(change: Partial<OpenAiDeps> = {}) {
  const database = await testDatabase(join(import.meta.dir, '../../../migrations'))
  const bucket = await testBucket()
  const { sql } = database
  const outbox = createOutbox({ sql, bus: { async publish() {} }, log: testLog })
  const accountId = `acct_${crypto.randomUUID().replaceAll('-', '')}`
  await sql`insert into account (id, name) values (${accountId}, 'test'), ('other', 'test')`
  const recordRequest = createRecordRequest({ sql, outbox, topicPrefix: 'test', replayAfterMs: 60_000 })
  const deps: OpenAiDeps = {
    ...{ sql, rateLimit: 30, admissionTimeoutMs: 5_000, recordRequest },
    findCaller: async key => (key === 'other' ? { accountId: 'other', keyId: 'other' } : { accountId, keyId: key }),
    ...{ giveAddressTokenBack() {}, clientAddress: () => '192.0.2.1', now: () => new Date(), takeOrder: () => true, giveOrderBack() {} },
    takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
    takeToken: async () => ({ taken: true, left: 29, waitMs: 0 }),
    findBound: createFindBound(sql),
    findTask: createFindTask(sql),
    currentCatalog: () => testCatalog(testCard()),
    refusals: { throwIfSpent: async () => {} },
    brokerConnected: () => true,
    watch: {
      async wait(id) {
        for (let rows = 0; rows === 0; await pause(5))
          rows = (
            await sql`update task set phase = 'accepted', phase_rank = 2, billing_status = 'reserved', credits_used = 7 where id = ${id}`
          ).count
        return (await findTasks(sql, [id]))[0]
      },
    },
    outputs: { store: bucket.store, baseUrl },
    uploads: { own: bucket.store, public: bucket.store },
    uploadRoom: { uploadRoomMebibytes: 1, uploadRoomPaidMebibytes: 0, uploadRoomMebibytesMax: 1 },
    findBalance: async () => undefined,
    webhooksOn: false,
    ...change,
  } as OpenAiDeps
  const app = new Elysia({ normalize: false })
    .use(renderError(testLog, reasons, { shapeFor: shapeOpenAi }))
    .use(new Elysia({ prefix: '/openai/v1', normalize: false }).use(openAiVideos(deps)).use(openAiModels(deps)))

  async function ask(
    method: string,
    path: string,
    { body, key = 'k', headers = {} }: { body?: unknown; key?: string; headers?: object } = {},
  ) {
    const isForm = body instanceof FormData
    const sent = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    }
    const init = { method, headers: sent, ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }) }
    const response = await app.handle(new Request(`http://gateway/openai/v1${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : {} }
  }
  return {
    ...{ sql, ask, accountId, bucket },
    /** The task ends as a whole video of these bytes, or fails. */
    async end(id: string, phase: 'completed' | 'failed' = 'completed') {
      const files = [`outputs/${id}.mp4`, `posters/${id}.jpg`]
      for (const file of files) await bucket.store.put(file, new Uint8Array([1]), { contentType: 'video/mp4' })
      const [video = '', poster = ''] = files.map(file => `${baseUrl}/${file}`)
      const [billing, url] = phase === 'completed' ? (['settled', video] as const) : (['refunded', null] as const)
      await sql`
        update task set phase = ${phase}, phase_rank = 4, billing_status = ${billing}, billing_rank = 4, video_url = ${url},
          poster_url = ${url && poster}, error_code = ${url ? null : 'generation_failed'}, error_message = ${url ? null : 'It failed.'}
        where id = ${id}`
      return files
    },
    async close() {
      await outbox.stop()
      await database.drop()
    },
  }
}
