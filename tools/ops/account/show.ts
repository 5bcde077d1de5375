import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'

type Shown = { [name: string]: Json }

/**
 * An account with its keys, its grants and debits, what operators did to it, and, of the ledger, which decides, its balances and what is
 * held for unfinished tasks. A service that doesn't answer is said to be silent; an account that none knows is a fault.
 */
export async function accountShow(call: Call, { accountId }: { accountId: string }): Promise<Json> {
  const path = `/accounts/${encodeURIComponent(accountId)}`
  const [gateway, ledger] = await Promise.all([ask(call, 'gateway', path), ask(call, 'ledger', path)])
  if (gateway === undefined && ledger === undefined) throw new OpsFault(`There is no account ${accountId}.`, 404)
  const { account: known, ...rest } = gateway ?? { gateway: 'does not know the account' }
  const { account: balances, open } = ledger ?? {}
  return {
    ...(known as Shown | undefined),
    ...rest,
    balances: balances ?? ledger?.silent ?? 'the ledger has heard nothing of it yet',
    ...(open !== undefined && { unfinished_tasks: open }),
  }
}

/** What a service knows; undefined where it knows nothing. */
async function ask(call: Call, service: 'gateway' | 'ledger', path: string): Promise<Shown | undefined> {
  try {
    return (await call(service, 'GET', path)) as Shown
  } catch (error) {
    if (!(error instanceof OpsFault)) throw error
    return error.status === 404 ? undefined : { silent: error.message }
  }
}
