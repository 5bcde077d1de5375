import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import type { FindBalance } from './find-balance'

export type CreditsDeps = { findBalance: FindBalance }

/** GET /credits. */
export const credits = (deps: CreditsDeps & AuthenticateDeps) =>
  new Elysia({ name: 'credits', normalize: false }).use(authenticate(deps)).get('/credits', async function getCredits({ caller, leftMs }) {
    const balance = await deps.findBalance(caller.accountId, leftMs)
    return { available_credits: balance?.available ?? 0, balance_type: 'paid' as const }
  })
