import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { RequestRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { readQuery, words } from '../paging/read-query'
import { requestParameters, showRequests } from './show-requests'

const accountCharactersMax = 200
/** What is found in no index is cancelled before it slows other requests down. */
const listTimeoutMs = 5_000

/** Requests of an account, or those with an X-Request-Id. */
export const requestRoutes = ({ sql }: { sql: Sql }) =>
  new Elysia({ normalize: false }).get('/requests', async function getRequests({ request }): Promise<Listed<RequestRow>> {
    const { account, ...query } = readQuery(request.url, { account: words(accountCharactersMax), ...requestParameters })
    if (account === null && query.request === null) throw new Failure<Reason>('invalid_request', { details: { issues: [unbounded] } })
    return showRequests(sql, account, query, listTimeoutMs)
  })

/** Nothing finds the newest of all accounts without looking at all. */
const unbounded = { path: 'account', rule: 'required', message: 'account or request must be given' }
