import { operate } from '../operator/operator'
import { until } from '../until'
import { createApi } from './api'

export type Account = { accountId: string; apiKey: string; api: ReturnType<typeof createApi> }

/** A new account of its own for a test, with a key and, once the ledger has booked them, these credits. */
export async function openAccount({
  credits = 10_000,
  starterCredits = 0,
}: {
  credits?: number
  starterCredits?: number
} = {}): Promise<Account> {
  const name = `test ${crypto.randomUUID()}`
  const opened = await operate<{ account_id: string; api_key: string }>('gateway', 'POST', '/accounts', {
    name,
    credits,
    ...(starterCredits > 0 && { starter_credits: starterCredits }),
  })
  const api = createApi(opened.api_key)
  // What one is told of an account's balance follows the ledger; the first request shouldn't meet an empty one.
  await until('the credits of a new account', async () => {
    const { account } = await operate<{ account: { available: number; starter: number } | null }>(
      'ledger',
      'GET',
      `/accounts/${opened.account_id}`,
    ).catch(() => ({ account: null }))
    return account?.available === credits && account.starter === starterCredits && (await api.credits()) === credits
  })
  return { accountId: opened.account_id, apiKey: opened.api_key, api }
}

export type Key = { key_id: string; api_key: string }

/** A further key of the account, whole. */
export const createKey = (accountId: string, terms: { expires_at?: string; models?: string[]; addresses?: string[] } = {}) =>
  operate<Key>('gateway', 'POST', `/accounts/${accountId}/keys`, { name: 'another', ...terms })

/** A second key of the same account. */
export const addKey = async (accountId: string) => createApi((await createKey(accountId)).api_key)

/** Binds a key to other models or addresses; null unbinds it. */
export const bindKey = (keyId: string, changes: { models?: string[] | null; addresses?: string[] | null }) =>
  operate('gateway', 'PATCH', `/keys/${keyId}`, changes)
export const rotateKey = (keyId: string) => operate<Key>('gateway', 'POST', `/keys/${keyId}/rotate`)
export const revokeKey = (keyId: string) => operate('gateway', 'DELETE', `/keys/${keyId}`)
