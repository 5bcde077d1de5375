import type { Sql } from '@filmgate/kit/postgres'
import { type OpenState, openStates } from './states'

export type OpenReservations = { state: OpenState; count: number; oldestSeconds: number }

/** How many reservations each open state holds, and for how long the oldest has been in it. */
export const measureOpen = (sql: Sql) => sql<OpenReservations[]>`
  select state, count(*)::float8 as count, extract(epoch from now() - min(changed_at))::float8 as "oldestSeconds"
  from reservation where state = any(${[...openStates]}::reservation_state[]) group by state`
