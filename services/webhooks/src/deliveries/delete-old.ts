import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteDeliveriesOfDeleted, deleteEmptyEndpoints, deleteOldDeliveries } from './delivery-repository'

/** Deletes portion by portion what is past its days, and what deleted endpoints left. */
export async function deleteOld({ sql, keptDays }: { sql: Sql; keptDays: number }): Promise<void> {
  while ((await deleteOldDeliveries(sql, keptDays)) > 0);
  while ((await deleteDeliveriesOfDeleted(sql)) > 0);
  await deleteEmptyEndpoints(sql)
}
