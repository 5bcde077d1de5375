import type { Sql } from '@filmgate/kit/database/postgres'
import { readIdRange, readSince } from '@filmgate/kit/operator/id-range'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { BalanceFact, ChangeFact, ReservationFact } from '@filmgate/proto/operator/facts'
import { Elysia } from 'elysia'
import { listBalanceFacts, listChangeFacts, listReservationFacts } from './fact-repository'

/** What the cross-audit of the console compares with other services, in pages of ids. */
export const factRoutes = ({ sql }: { sql: Sql }) =>
  new Elysia({ prefix: '/facts', normalize: false })
    .get('/reservations', async function getReservations({ request }): Promise<Listed<ReservationFact>> {
      const rows = await listReservationFacts(sql, readIdRange(request))
      return { data: rows.map(({ changed_at, ...row }) => ({ ...row, changed_at: changed_at.toISOString() })) }
    })
    .get('/balances', async function getBalances({ request }): Promise<Listed<BalanceFact>> {
      const rows = await listBalanceFacts(sql, readIdRange(request))
      return { data: rows.map(({ changed_at, ...row }) => ({ ...row, changed_at: changed_at?.toISOString() ?? null })) }
    })
    .get('/credit-changes', async function getCreditChanges({ request }): Promise<Listed<ChangeFact>> {
      const rows = await listChangeFacts(sql, readSince(request), readIdRange(request, ['since']))
      return {
        data: rows.map(({ created_at, changed_at, ...row }) => ({
          ...row,
          created_at: created_at.toISOString(),
          changed_at: changed_at.toISOString(),
        })),
      }
    })
