import type { RequestRow } from '@filmgate/proto/operator/account'
import { Elysia } from 'elysia'
import { type MemberDeps, requireMember } from '../accounts/require-member'
import type { Gateway, KeyView, Page, RequestCountView } from '../gateway/gateway'
import { answerPage } from '../layout/answer-page'
import { requestsPage } from './page'
import { countsQuery, listQuery, readFilter } from './read-filter'

export type RequestsDeps = MemberDeps & { gateway: Gateway; now(): Date }

const cursorCharactersMax = 500

/** The log of an account's requests: what its keys changed, what they were refused, and how often they asked. */
export const requests = (deps: RequestsDeps) =>
  new Elysia({ name: 'requests', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/requests', async function getRequests({ query, set, ...context }) {
      const { gateway, now } = deps
      const filter = readFilter(query, now())
      const cursor = (query.cursor ?? '').slice(0, cursorCharactersMax)
      const path = `/accounts/${context.member.accountId}`
      const [keys, counts, requests] = await Promise.all([
        gateway.get<{ data: KeyView[] }>(context.person, `${path}/keys`),
        gateway.get<{ data: RequestCountView[] }>(context.person, `${path}/requests/counts?${countsQuery(filter)}`),
        gateway.get<Page<RequestRow>>(context.person, `${path}/requests?${listQuery(filter, cursor)}`),
      ])
      return answerPage(set, requestsPage({ ...context, filter, keys: keys.data, counts: counts.data, requests, cursor }))
    })
