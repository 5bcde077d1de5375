import type { Gateway } from '../../gateway/gateway'
import { connectStripe } from '../stripe/connect-stripe'
import type { StripeApi } from '../stripe/stripe-api'

export const webhookSecret = 'whsec_of_the_tests_of_the_console'

const unused = () => {
  throw new Error('not asked in this test')
}

/** Verifies signatures like the real client; other calls are given by the test. */
export function fakeStripe(own: Partial<StripeApi> = {}): StripeApi {
  const { verify } = connectStripe({ secretKey: 'sk_test_of_the_tests', webhookSecret, url: undefined }, { warn: () => {} } as never)
  return {
    ...{
      livemode: false,
      verify,
      createCustomer: async ({ accountId }) => `cus_${accountId}`,
      createSession: unused,
      findSession: unused,
      endSession: unused,
    },
    ...{
      listSessions: async () => [],
      listReversals: async () => [],
      findDisputeShares: unused,
      listPage: async () => ({ count: 0, facts: [], unreadable: [], next: undefined }),
      createPortalUrl: unused,
      findDocuments: unused,
      listUndelivered: async () => [],
    },
    ...own,
  }
}

export type FakeLedger = Gateway & {
  /** All requests so far. */
  asked: { method: string | undefined; path: string; body: unknown }[]
  balance: Map<string, number>
  /** Statuses to answer the next requests with. */
  faults: number[]
}

/** Decides grants and debits idempotently by id, like the gateway. */
export function fakeLedger(): FakeLedger {
  const decided = new Map<string, string>()
  const ledger: FakeLedger = {
    asked: [],
    balance: new Map(),
    faults: [],
    async request<T>(_: unknown, { method, path, body }: { method?: string; path: string; body?: unknown }) {
      ledger.asked.push({ method, path, body })
      const fault = ledger.faults.shift()
      if (fault === 202) return { ok: true, status: 202, value: { state: 'pending' } as T }
      if (fault) return { ok: false, status: fault, code: 'fault', message: '' }
      const [, accountId = '', kind, id = ''] = /^\/accounts\/([^/]+)\/(grant|debit)s\/([^/]+)$/.exec(path) ?? []
      const terms = JSON.stringify([accountId, kind, body])
      if (decided.has(id) && decided.get(id) !== terms) return { ok: false, status: 409, code: 'change_id_reused', message: '' }
      const { credits } = body as { credits: number }
      if (!decided.has(id)) ledger.balance.set(accountId, (ledger.balance.get(accountId) ?? 0) + (kind === 'grant' ? credits : -credits))
      decided.set(id, terms)
      return { ok: true, status: 200, value: { state: 'applied' } as T }
    },
    get: unused,
    fetch: unused,
  } as FakeLedger
  return ledger
}
