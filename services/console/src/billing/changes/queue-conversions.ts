import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { convertKind } from '../job-kinds'
import { updateCountedWhole } from './change-repository'

/**
 * Queues the conversion of each amount in another currency that a version before 0170 counted as the whole payment,
 * also one that its last replicas count during an upgrade.
 */
export const queueConversions = (sql: Sql): Promise<void> =>
  sql.begin(async sql => {
    const ids = await updateCountedWhole(sql)
    if (ids.length === 0) return
    await insertJobs(
      sql,
      ids.map(id => ({ kind: convertKind, id })),
    )
  })
