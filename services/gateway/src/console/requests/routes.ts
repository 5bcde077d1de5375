import { Elysia } from 'elysia'
import { readAlone } from '../../database/batched-read'
import { moment, type ParameterReader, readQuery } from '../../paging/read-query'
import { requestsKeptDays } from '../../request-log/forget-requests'
import { sumRequests } from '../../request-log/request-log-repository'
import { requestParameters, showRequests } from '../../request-log/show-requests'
import { type AuthDeps, accountAuth } from '../auth'

const dayMs = 86_400_000

/** The log of an account's requests, and their counts by day: `from` is the first day, `to` the one behind the last. */
export const requestRoutes = (deps: AuthDeps & { now(): Date }) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/requests', async function getRequests({ request, account, leftMs }) {
      return showRequests(deps.sql, account.id, readQuery(request.url, requestParameters), leftMs)
    })
    .get('/accounts/:id/requests/counts', async function getRequestCounts({ request, account, leftMs }) {
      const { key_id: keyId, from, to } = readQuery(request.url, { key_id: requestParameters.key_id, from: day, to: day })
      const end = to ?? dayOf(deps.now().getTime() + dayMs)
      const filter = { accountId: account.id, keyId, from: from ?? dayOf(Date.parse(end) - requestsKeptDays * dayMs), to: end }
      return { data: await readAlone(sumRequests(deps.sql, filter), leftMs) }
    })

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** A day in UTC, as 2026-11-23. */
const day: ParameterReader<string | null> = raw => {
  const at = moment(raw)
  return at === null ? null : dayOf(at.getTime())
}
