import { afterAll, beforeAll, expect, test } from 'bun:test'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import { exposeOpenReservations } from './expose-open'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(migrationsFolder)
  exposeOpenReservations(database.sql)
})
afterAll(() => database.drop())

const shown = async () =>
  (await metricsText())
    .split('\n')
    .filter(line => line.startsWith('ledger_reservation'))
    .map(line => line.replace(/(\d+)\.\d+$/, '$1'))

test('every open state shows how many it holds and the age of its oldest, and 0 where it holds none', async () => {
  expect(await shown()).toEqual([
    'ledger_reservations_open{state="reserved"} 0',
    'ledger_reservations_open{state="review"} 0',
    'ledger_reservations_open{state="refund_pending"} 0',
    'ledger_reservation_oldest_seconds{state="reserved"} 0',
    'ledger_reservation_oldest_seconds{state="review"} 0',
    'ledger_reservation_oldest_seconds{state="refund_pending"} 0',
  ])
  await database.sql`insert into account (id, opened_at) values ('a', now())`
  await database.sql`
    insert into reservation (task_id, account_id, surface, paid, starter, price_version, state, reserved_at, changed_at)
    select 'task-' || n, 'a', 'api', 1, 0, '1', state::reservation_state, now() - interval '9 hours', now() - n * interval '1 hour'
    from (values (1, 'reserved'), (5, 'reserved'), (2, 'review'), (3, 'refund_pending')) rows (n, state)`
  expect(await shown()).toEqual([
    'ledger_reservations_open{state="reserved"} 2',
    'ledger_reservations_open{state="review"} 1',
    'ledger_reservations_open{state="refund_pending"} 1',
    'ledger_reservation_oldest_seconds{state="reserved"} 18000',
    'ledger_reservation_oldest_seconds{state="review"} 7200',
    'ledger_reservation_oldest_seconds{state="refund_pending"} 10800',
  ])
})
