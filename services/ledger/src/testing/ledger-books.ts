import { create, type MessageShape } from '@bufbuild/protobuf'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode } from '@filmgate/proto/topics'
import { type AuditRules, audit } from '../audit/audit'
import type { Caps } from '../books/budget'
import type { ChangeCredits, Conclude, Instruction, OpenAccount, Reserve, SetBudget } from '../books/instruction'
import type { Surface } from '../books/reservation'
import type { Cause } from '../books/reservation-states'
import { findAccount } from '../database/account-repository'
import { migrationsFolder } from '../database/migrations-folder'
import { type PostDeps, post } from '../posting/post'

export type PublishedEvent = MessageShape<typeof CreditsEventSchema>['event']

/** Books in a database of their own on the real Postgres. Published messages are kept in order; the clock stands still until it is set. */
export async function ledgerBooks(rules: { unfinishedTasksMax?: number } = {}) {
  const database = await testDatabase(migrationsFolder)
  const { sql } = database
  const published: Outgoing[] = []
  const bus = {
    async publish(messages: Outgoing[]) {
      published.push(...messages)
    },
  }
  const outbox = createOutbox({ sql, bus, log: testLog })
  const clock = { nowMs: 1_790_000_000_000 }
  const deps: PostDeps & { sql: typeof sql; log: typeof testLog } = {
    outbox,
    sql,
    log: testLog,
    creditsTopic: 'credits',
    unfinishedTasksMax: rules.unfinishedTasksMax ?? 3,
    now: () => clock.nowMs,
    clock: async () => clock.nowMs,
  }
  return {
    database,
    sql,
    deps,
    clock,
    published,
    post: (...instructions: Instruction[]) => post(deps, instructions),
    /** What was published about an account, in order. */
    events: (accountId: string): PublishedEvent[] =>
      published.filter(({ key }) => key === accountId).map(({ value }) => decode(CreditsEventSchema, value ?? new Uint8Array()).event),
    /** The account without its moments; undefined where it is not open. */
    async balance(accountId: string) {
      const account = await findAccount(sql, accountId)
      if (!account) return undefined
      const { openedAt: _, ...balance } = account
      return balance
    },
    /** Of everything, unless only what is new is asked for. */
    findings: async ({ full = true } = {}) =>
      (await audit(sql, auditRules, { nowMs: clock.nowMs, full, lockWaitMs: 10_000 }))?.findings ?? [],
    async close() {
      await outbox.stop()
      await database.drop()
    },
  }
}

export const auditRules: AuditRules = {
  fullEveryMs: 86_400_000,
  reservedMaxMs: 259_200_000,
  reviewMaxMs: 86_400_000,
  refundPendingMaxMs: 300_000,
}

export type LedgerBooks = Awaited<ReturnType<typeof ledgerBooks>>

export const newId = (prefix: string): string => `${prefix}_${crypto.randomUUID()}`

export const open = (accountId: string): OpenAccount => ({ kind: 'open_account', accountId })

const change =
  (kind: 'grant' | 'debit') =>
  (accountId: string, credits: number, balance: 'paid' | 'starter' = 'paid', id = newId(kind)): ChangeCredits => ({
    kind: `${kind}_credits`,
    accountId,
    change: { id, kind, accountId, balance, credits, reason: 'a test', operator: 'tester', beyondBalance: false },
  })

/** A debit that takes what the paid balance has, and leaves the rest owed. */
export function debitBeyond(accountId: string, credits: number, id = newId('debit')): ChangeCredits {
  const asked = debit(accountId, credits, 'paid', id)
  return { ...asked, change: { ...asked.change, beyondBalance: true } }
}

export const grant = change('grant')
export const debit = change('debit')

/** Caps of the account itself, unless a key or a member is named. */
export function budget(
  accountId: string,
  caps: Partial<Caps>,
  { version, timeZone = 'UTC', keyId, memberId }: { version: number; timeZone?: string; keyId?: string; memberId?: string },
): SetBudget {
  const scope = keyId ? 'key' : memberId ? 'member' : 'account'
  const subject = { accountId, scope, subjectId: keyId ?? memberId ?? accountId } as const
  return {
    kind: 'set_budget',
    accountId,
    budget: { ...subject, caps: { total: null, day: null, month: null, ...caps }, version },
    timeZone,
  }
}

export type RequestTerms = {
  taskId?: string
  surface?: Surface
  keyId?: string | null
  memberId?: string | null
  admitByMs?: number
  traceparent?: string
}

export function ask(
  accountId: string,
  credits: number,
  { taskId = newId('vt'), surface = 'api', keyId = null, memberId = null, admitByMs = 2e12, traceparent }: RequestTerms = {},
): Reserve {
  const order = create(OrderSchema, { taskId, accountId, credits: BigInt(credits), prompt: 'a cat', priceVersion: 'p1' })
  return { kind: 'reserve', accountId, taskId, surface, keyId, memberId, credits, priceVersion: 'p1', admitByMs, order, traceparent }
}

export const conclude = (cause: Cause, { accountId, taskId }: { accountId: string; taskId: string }, dueCredits?: number): Conclude => ({
  kind: 'conclude',
  accountId,
  taskId,
  cause,
  dueCredits,
})
