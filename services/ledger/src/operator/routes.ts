import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import { requireBearer } from '@filmgate/kit/require-bearer'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { findAccount } from '../account/account-repository'
import { audit } from '../audit/audit'
import { findEntries } from '../entry/entry-repository'
import type { Reason } from '../errors'
import { acknowledgeContradictions, findContradictions } from '../reservation/contradiction-repository'
import { findDeclinedTask } from '../reservation/declined-repository'
import { findOpenReservations, findReservation } from '../reservation/reservation-repository'
import { accountView, contradictionView, declinedView, entryView, reservationView } from './views'

export type OperatorDeps = { sql: Sql; operatorToken: string; now(): number }

const byId = { params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]+$' }) }) }
const acknowledgement = {
  ...byId,
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
}

/** What operators and their tools ask of the books. */
export const operator = ({ sql, operatorToken, now }: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(requireBearer(operatorToken, () => new Failure<Reason>('operator_token_required')))
    .get(
      '/tasks/:id',
      async function showTask({ params: { id } }) {
        const [reservation, declined, entries, contradictions] = await Promise.all([
          findReservation(sql, id),
          findDeclinedTask(sql, id),
          findEntries(sql, id),
          findContradictions(sql, id),
        ])
        if (!reservation && !declined && contradictions.length === 0) throw new Failure<Reason>('task_not_found')
        return {
          reservation: reservation ? reservationView(reservation) : null,
          declined: declined ? declinedView(declined) : null,
          entries: entries.map(entryView),
          contradictions: contradictions.map(contradictionView),
        }
      },
      byId,
    )
    .post(
      '/tasks/:id/acknowledge',
      async function acknowledge({ params: { id }, body: { reason } }) {
        const acknowledged = await acknowledgeContradictions(sql, id, reason)
        if (acknowledged === 0) throw new Failure<Reason>('contradiction_not_found')
        return { acknowledged }
      },
      acknowledgement,
    )
    .get(
      '/accounts/:id',
      async function showAccount({ params: { id } }) {
        const [account, open] = await Promise.all([findAccount(sql, id), findOpenReservations(sql, id)])
        if (!account) throw new Failure<Reason>('account_not_found')
        return { account: accountView(account), open: open.map(reservationView) }
      },
      byId,
    )
    .post('/audit', async function auditBooks() {
      return audit(sql, now())
    })
