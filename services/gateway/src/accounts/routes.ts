import type { Sql } from '@filmgate/kit/postgres'
import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { createLookUp, type LookUp } from '../look-up'
import { type Balance, findBalances } from './account-repository'

export type CreditsDeps = { findBalance: LookUp<string, Balance | undefined> }

/** The paid balance as last heard from the ledger; reads of one moment share a statement. */
export function createFindBalance(sql: Sql): CreditsDeps['findBalance'] {
  return createLookUp<string, Balance | undefined>(async ids => {
    const found = new Map((await findBalances(sql, [...new Set(ids)])).map(balance => [balance.accountId, balance]))
    return ids.map(id => found.get(id))
  })
}

/** GET /credits. */
export const credits = (deps: CreditsDeps & AuthenticateDeps) =>
  new Elysia({ name: 'credits', normalize: false }).use(authenticate(deps)).get('/credits', async function getCredits({ caller, leftMs }) {
    const balance = await deps.findBalance(caller.accountId, leftMs)
    return { available_credits: balance?.available ?? 0, balance_type: 'paid' as const }
  })
