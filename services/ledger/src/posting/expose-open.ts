import type { Sql } from '@filmgate/kit/database/postgres'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { openStates } from '../books/reservation-states'
import { measureOpen, type OpenReservations } from '../database/reservation-repository'

/** Metrics of the reservations that hold clients' credits, by state; 0 for a state without any. */
export function exposeOpenReservations(sql: Sql): void {
  const byState = async (measure: (open: OpenReservations) => number) => {
    const found = await measureOpen(sql)
    return openStates.map(state => {
      const open = found.find(row => row.state === state)
      return { value: open ? measure(open) : 0, attributes: { state } }
    })
  }
  gauge('ledger_reservations_open', 'Reservations without an ending', () => byState(({ count }) => count))
  gauge('ledger_reservation_oldest_seconds', 'How long the oldest reservation has been in its state', () =>
    byState(({ oldestSeconds }) => oldestSeconds),
  )
}
