import type { Sql } from '@filmgate/kit/database/postgres'
import { isoRows } from '@filmgate/kit/operator/dated-rows'
import { readIdRange, readSince } from '@filmgate/kit/operator/id-range'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { BalanceFact, ChangeFact, TaskFact } from '@filmgate/proto/operator/facts'
import { Elysia } from 'elysia'
import { listBalanceFacts, listChangeFacts, listTaskFacts } from './fact-repository'

/** What the cross-audit of the console compares with other services, in pages of ids. */
export const factRoutes = ({ sql }: { sql: Sql }) =>
  new Elysia({ prefix: '/facts', normalize: false })
    .get('/tasks', async function getTasks({ request }): Promise<Listed<TaskFact>> {
      return { data: isoRows(await listTaskFacts(sql, readIdRange(request))) }
    })
    .get('/balances', async function getBalances({ request }): Promise<Listed<BalanceFact>> {
      return { data: isoRows(await listBalanceFacts(sql, readIdRange(request))) }
    })
    .get('/credit-changes', async function getCreditChanges({ request }): Promise<Listed<ChangeFact>> {
      return { data: isoRows(await listChangeFacts(sql, readSince(request), readIdRange(request, ['since']))) }
    })
