import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { listPauseNotices, markPausesTaken, type PauseNotice } from './pause-repository'

export type PauseDeps = { sql: Sql; tokens: Secrets; keptDays: number }

const noticesMax = 200
const notice = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const Taken = Type.Object({ taken: Type.Array(notice, { maxItems: noticesMax }) }, { additionalProperties: false })

/** Pauses of all accounts, for the mails of the console: each comes until its id comes back as taken. */
export const pauseRoutes = ({ sql, tokens, keptDays }: PauseDeps) =>
  new Elysia({ name: 'pauses', normalize: false }).use(requireBearer(tokens, () => new Failure<Reason>('token_required'))).post(
    '/pauses',
    async function postPauses({ request }) {
      const { taken } = await readJsonAs(Taken, request)
      if (taken.length > 0) await markPausesTaken(sql, taken)
      return { data: (await listPauseNotices(sql, noticesMax)).map(pause => pauseView(pause, keptDays)) }
    },
    takes(Taken),
  )

/** Of the address only host and path: its query may be a secret. */
function pauseView({ id, accountId, endpointId, url, reason, pausedAt }: PauseNotice, keptDays: number) {
  const { host, pathname } = new URL(url)
  return {
    ...{ id, account_id: accountId, endpoint_id: endpointId, address: `${host}${pathname}` },
    ...{ reason, paused_at: pausedAt.toISOString(), kept_days: keptDays },
  }
}
