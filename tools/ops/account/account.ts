import { randomUUID } from 'node:crypto'
import { AccountLimits, AccountRow, AwaitedChange, ChangeResult, LowBalance, NewAccount } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { InvalidArgumentError } from 'commander'
import { askService, type Known } from '../ask-service'
import { OpsFault } from '../fault'
import { wholeNumber } from '../input/option-values'
import { type ListOptions, listPage } from '../list-page'
import { type Call, callFor, type Json } from '../operator-api'

/** Opens an account with paid credits and its first API key, which is shown this once. */
export const accountCreate = (call: Call, input: { name: string; credits: number; starterCredits?: number }) => {
  const { name, credits, starterCredits } = input
  const body = { name, credits, ...(starterCredits !== undefined && { starter_credits: starterCredits }) }
  return callFor(call, NewAccount, 'gateway', 'POST', '/accounts', body)
}

/** Accounts, newest first; of those with a name, whose name has these words. */
export const accountList = (call: Call, { name, limit, cursor }: ListOptions & { name?: string }) =>
  listPage(call, AccountRow, '/accounts', { name, limit, cursor })

/**
 * An account with its keys, its grants and debits, what operators did to it, and, of the ledger, which decides, its balances and what is
 * held for unfinished tasks. A service that doesn't answer is said to be silent; an account that none knows is a fault.
 */
export async function accountShow(call: Call, { accountId }: { accountId: string }): Promise<Json> {
  const path = `/accounts/${encodeURIComponent(accountId)}`
  const [gateway, ledger] = await Promise.all([knownBy(call, 'gateway', path), knownBy(call, 'ledger', path)])
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

/** What a service knows of it; undefined where it knows nothing. */
async function knownBy(call: Call, service: 'gateway' | 'ledger', path: string): Promise<Known | undefined> {
  const answer = await askService(call, service, path)
  if ('unknown' in answer) return undefined
  return 'known' in answer ? answer.known : answer
}

export type Change = {
  kind: 'grant' | 'debit'
  accountId: string
  credits: number
  balance: string
  reason: string
  /** What makes it count once; made here where none is given. */
  id?: string
  by: string
}

/**
 * Gives credits or takes them back, and shows what became of it. An id made here is said before anything is sent, so that a command
 * whose answer is lost can be repeated with it.
 */
export async function accountChange(call: Call, change: Change): Promise<ChangeResult> {
  const { kind, accountId, credits, balance, reason, by } = change
  const id = change.id ?? randomUUID()
  if (!change.id) console.error(`id ${id}: where no answer comes, repeat the command with --id ${id}`)
  const body = { id, credits, balance, reason, by }
  return callFor(call, ChangeResult, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/${kind}s`, body)
}

/** Grants and debits above the limit that wait for a second operator, oldest first. */
export const accountAwaited = async (call: Call) => (await callFor(call, listOf(AwaitedChange), 'gateway', 'GET', '/credit-changes')).data

/** Approves a grant or a debit that another operator asked for; shows what became of it. */
export const accountApprove = (call: Call, { id }: { id: string }) =>
  callFor(call, ChangeResult, 'gateway', 'POST', `/credit-changes/${encodeURIComponent(id)}/approve`)

export type LimitOptions = { requests?: number; unfinished?: number; reset?: true; reason: string }

/** Gives an account limits of its own, or the services' settings again; what is not named stays. */
export function accountLimits(call: Call, accountId: string, { requests, unfinished, reset, reason }: LimitOptions) {
  if (reset && (requests ?? unfinished) !== undefined) throw new OpsFault('--reset goes without --requests and --unfinished.')
  if (!reset && (requests ?? unfinished) === undefined) throw new OpsFault('Name --requests, --unfinished or --reset.')
  const limits = reset
    ? { requests_a_minute: null, unfinished_tasks_max: null }
    : {
        ...(requests !== undefined && { requests_a_minute: requests }),
        ...(unfinished !== undefined && { unfinished_tasks_max: unfinished }),
      }
  return callFor(call, AccountLimits, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/limits`, { ...limits, reason })
}

/** Sets the paid balance below which an account's webhooks are told, or never by null. */
export const accountLowBalance = (call: Call, { accountId, credits }: { accountId: string; credits: number | null }) =>
  callFor(call, LowBalance, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/low-balance`, { credits })

/** A number of credits from 1, or `never`. */
export function threshold(text: string): number | null {
  if (text === 'never') return null
  const credits = wholeNumber(text)
  if (credits < 1) throw new InvalidArgumentError('It must be at least 1, or "never".')
  return credits
}
