import { askService, type Known } from '../ask-service'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'

/**
 * An account with its keys, its grants and debits, what operators did to it, and, of the ledger, which decides, its balances and what is
 * held for unfinished tasks. A service that doesn't answer is said to be silent; an account that none knows is a fault.
 */
export async function accountShow(call: Call, { accountId }: { accountId: string }): Promise<Json> {
  const path = `/accounts/${encodeURIComponent(accountId)}`
  const [gateway, ledger] = await Promise.all([toldBy(call, 'gateway', path), toldBy(call, 'ledger', path)])
  if (gateway === undefined && ledger === undefined) throw new OpsFault(`There is no account ${accountId}.`, 404)
  const { account: known, ...rest } = gateway ?? { gateway: 'does not know the account' }
  const { account: balances, open } = ledger ?? {}
  return {
    ...(known as Known | undefined),
    ...rest,
    balances: balances ?? ledger?.silent ?? 'the ledger has heard nothing of it yet',
    ...(open !== undefined && { unfinished_tasks: open }),
  }
}

/** What a service tells of it; undefined where it knows nothing. */
async function toldBy(call: Call, service: 'gateway' | 'ledger', path: string): Promise<Known | undefined> {
  const answer = await askService(call, service, path)
  if ('unknown' in answer) return undefined
  return 'known' in answer ? answer.known : answer
}
