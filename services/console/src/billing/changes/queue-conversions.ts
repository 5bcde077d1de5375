import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { convertKind } from '../job-kinds'
import { requestConversionOfCounted } from './change-repository'

/**
 * Queues the conversion of amounts in other currencies that a version before 0170 counted as the whole payment,
 * including those counted during a rolling upgrade.
 */
export const queueConversions = (sql: Sql): Promise<void> =>
  sql.begin(async sql => {
    const ids = await requestConversionOfCounted(sql)
    if (ids.length === 0) return
    await insertJobs(
      sql,
      ids.map(id => ({ kind: convertKind, id })),
    )
  })
