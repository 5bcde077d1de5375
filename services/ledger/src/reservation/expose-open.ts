import { gauge } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import { measureOpen, type OpenReservations } from './open-repository'
import { openStates } from './states'

/** Shows what holds clients' credits, by state: each is 0 where nothing is in it. */
export function exposeOpenReservations(sql: Sql): void {
  const byState = async (value: (one: OpenReservations) => number) => {
    const found = await measureOpen(sql)
    return openStates.map(state => {
      const own = found.find(one => one.state === state)
      return { value: own ? value(own) : 0, attributes: { state } }
    })
  }
  gauge('ledger_reservations_open', 'Reservations without an ending', () => byState(({ count }) => count))
  gauge('ledger_reservation_oldest_seconds', 'How long the oldest reservation has been in its state', () =>
    byState(({ oldestSeconds }) => oldestSeconds),
  )
}
