import type { Sql } from '@filmgate/kit/database/postgres'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { isoRows } from '@filmgate/kit/operator/dated-rows'
import { readIdRange } from '@filmgate/kit/operator/id-range'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import type { Operators } from '@filmgate/kit/operator/operators'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { AttemptFact, OutputFact } from '@filmgate/proto/operator/facts'
import { Elysia } from 'elysia'
import { listAttemptFacts, listOutputs } from './fact-repository'

export type FactRouteDeps = { sql: Sql; outputs: Pick<ObjectStore, 'head'>; operators: Operators }

/** Each is asked of the store. */
const outputsMax = 100
const headsAtOnce = 10

/** What the cross-audit of the console compares with the gateway and the store, in pages of task ids. */
export const factRoutes = ({ sql, outputs, operators }: FactRouteDeps) =>
  new Elysia({ name: 'facts', prefix: '/operator/facts', normalize: false })
    .use(operatorAuth(operators))
    .get('/attempts', async function getAttempts({ request }): Promise<Listed<AttemptFact>> {
      return { data: isoRows(await listAttemptFacts(sql, readIdRange(request))) }
    })
    .get('/outputs', async function getOutputs({ request }): Promise<Listed<OutputFact>> {
      const range = readIdRange(request)
      const rows = await listOutputs(sql, { ...range, limit: Math.min(range.limit, outputsMax) })
      const data: OutputFact[] = []
      for (let at = 0; at < rows.length; at += headsAtOnce) {
        const heads = rows
          .slice(at, at + headsAtOnce)
          .map(async row => ({ ...row, stored_bytes: (await outputs.head(row.key))?.bytes ?? null }))
        data.push(...(await Promise.all(heads)))
      }
      return { data }
    })
