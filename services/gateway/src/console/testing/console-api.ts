import { join } from 'node:path'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import { renderError } from '@filmgate/kit/http/render-error'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { decode, topics } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import { createFindBalance } from '../../balances/find-balance'
import { reasons } from '../../errors'
import { createCallWebhooks } from '../../webhooks/call-webhooks'
import { type ConsoleDeps, consoleRoutes } from '../routes'

export const consoleToken = 'the-token-of-the-tests-console'

export type ApiCall = { body?: unknown; token?: string; person?: string; operator?: string; headers?: Record<string, string> }
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

/** The console's internal API over a database of its own on the real Postgres. Nothing behind the gateway answers; what it sends is kept. */
export async function consoleApi(deps: Partial<ConsoleDeps> = {}) {
  const database = await testDatabase(join(import.meta.dir, '../../../migrations'))
  const { sql } = database
  const published: Outgoing[] = []
  const bus = {
    async publish(messages: Outgoing[]) {
      published.push(...messages)
    },
  }
  const outbox = createOutbox({ sql, bus, log: testLog })
  const wrongTokens: string[] = []
  const failures: unknown[] = []
  const log = { error: (fields: unknown) => void failures.push(fields) }
  const app = new Elysia({ normalize: false }).use(renderError(log, reasons)).use(
    consoleRoutes({
      ...{ sql, outbox, topicPrefix: 'test', pepper: 'p'.repeat(32), keyOverlapSeconds: 60, now: () => new Date() },
      consoleTokens: [consoleToken],
      ...{ starterCredits: 200, unfinishedTasksMax: 3, rateLimit: 30, addressRateLimit: 30, admissionTimeoutMs: 1_000 },
      takeAddressToken(address) {
        wrongTokens.push(address)
        return { taken: true, left: 1, waitMs: 0 }
      },
      clientAddress: () => '192.0.2.1',
      takeToken: async () => ({ taken: true, left: 29, waitMs: 0 }),
      findBalance: createFindBalance(sql),
      findBound: async () => undefined,
      findTask: async () => undefined,
      refusals: { throwIfSpent: async () => {} },
      takeOrder: () => true,
      giveOrderBack: () => {},
      currentCatalog: () => ({ models: new Map(), defaultModel: 'none', priceVersion: '', version: '' }) as never,
      recordRequest: async () => ({ fresh: true }),
      watch: { wait: async () => undefined },
      brokerConnected: () => true,
      uploads: undefined,
      judgeUpload: undefined,
      uploadRoom: { uploadRoomMebibytes: 1_024, uploadRoomPaidMebibytes: 64, uploadRoomMebibytesMax: 16_384 },
      callWebhooks: createCallWebhooks({ url: undefined, token: undefined }),
      webhooksOn: false,
      ...deps,
    }),
  )
  async function ask(
    method: string,
    path: string,
    { body, token = consoleToken, person = 'p1', operator = 'ada@example.com', headers }: ApiCall = {},
  ) {
    const all = {
      authorization: `Bearer ${token}`,
      ...(person && { 'x-filmgate-person': person }),
      ...(operator && { 'x-filmgate-operator': encodeURIComponent(operator) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await app.handle(
      new Request(`http://gateway/console${path}`, { method, headers: all, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    )
    const text = await response.text()
    const isJson = text.startsWith('{')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text } satisfies Answer
  }
  return {
    ...{ database, sql, published, wrongTokens, failures, ask },
    /** A new account; its id. */
    async open(): Promise<string> {
      const id = newAccountId()
      await ask('PUT', `/accounts/${id}`, { body: { name: 'Ada' } })
      return id
    },
    /** The requests that were sent to the ledger about an account, each once: on a busy machine the sweeper may publish one again. */
    sent: (accountId: string) =>
      [...new Map(published.filter(({ key }) => key === accountId).map(({ value }) => [String(value), value])).values()].map(
        value => decode(topics.requests.schema, value ?? new Uint8Array()).event,
      ),
    async close() {
      await outbox.stop()
      await database.drop()
    },
  }
}

export const newAccountId = (): string => `acct_${crypto.randomUUID().replaceAll('-', '')}`
