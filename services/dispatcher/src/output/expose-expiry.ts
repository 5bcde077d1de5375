import { gauge } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import { findExpiryOverdueSeconds } from './output-repository'

/** Shows whether outputs are still deleted at the end of their retention. */
export const exposeExpiry = (sql: Sql): void =>
  gauge('outputs_overdue_seconds', 'How long the oldest output is past its retention', () => findExpiryOverdueSeconds(sql))
