import { Elysia } from 'elysia'
import { type MemberDeps, requireMember } from '../accounts/require-member'
import type { Gateway, KeyView, Page, UsageRecordView } from '../gateway/gateway'
import { answerDownload } from '../layout/answer-download'
import { answerPage } from '../layout/answer-page'
import { enforceLimit } from '../limits/enforce-limit'
import { exportLimits } from '../limits/limits'
import { usagePage } from './page'
import { ofKeyAndTag, queryOf, readFilter } from './read-filter'
import { readSplit, readSplitSums, splitCsv } from './split'
import { readSums } from './sum-days'
import { usageCsv } from './usage-csv'

export type UsageDeps = MemberDeps & { gateway: Gateway; now(): Date }

/** An account's usage: sums, days and every record; also as CSV. */
export const usage = (deps: UsageDeps) =>
  new Elysia({ name: 'usage', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/usage', async function getUsage({ query, set, person, member, memberships }) {
      const { gateway, now } = deps
      const { accountId } = member
      const filter = readFilter(query, now())
      const cursor = query.cursor ?? ''
      const gatewayQuery = queryOf(filter)
      if (cursor !== '') gatewayQuery.set('cursor', cursor)
      const split = readSplit(query.by)
      const [keys, splitSums, all, records] = await Promise.all([
        gateway.get<{ data: KeyView[] }>(person, `/accounts/${accountId}/keys`),
        split === 'model' ? undefined : readSplitSums(gateway, person, { accountId, filter, split }),
        readSums(gateway, person, { accountId, range: filter.range, filters: ofKeyAndTag(filter.fields) }),
        gateway.get<Page<UsageRecordView>>(person, `/accounts/${accountId}/usage?${gatewayQuery}`),
      ])
      return answerPage(set, usagePage({ person, member, memberships, filter, split, keys: keys.data, all, splitSums, records, cursor }))
    })
    .get('/accounts/:id/usage/split.csv', async function getSplitCsv({ query, set, person, member: { accountId } }) {
      const filter = readFilter(query, deps.now())
      const split = readSplit(query.by)
      const [keys, sums] = await Promise.all([
        deps.gateway.get<{ data: KeyView[] }>(person, `/accounts/${accountId}/keys`),
        readSplitSums(deps.gateway, person, { accountId, filter, split }),
      ])
      const fileName = `filmgate-usage-by-${split.replace(':', '-')}-${filter.fields.from}-${filter.fields.to}.csv`
      return answerDownload(set, { parts: splitCsv({ filter, split, sums, keys: keys.data }), type: 'text/csv', fileName })
    })
    .get('/accounts/:id/usage.csv', async function getUsageCsv({ request, query, set, person, member: { accountId } }) {
      await enforceLimit(deps.sql, exportLimits.usage, person.id)
      const filter = readFilter(query, deps.now())
      const { from, to } = filter.fields
      const parts = usageCsv(deps.gateway, { actor: person, accountId, query: queryOf(filter), signal: request.signal })
      return answerDownload(set, { parts, type: 'text/csv', fileName: `filmgate-usage-${from}-${to}.csv` })
    })
