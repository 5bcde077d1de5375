import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteOldCallbacks } from '../callbacks/callback-repository'
import { markClosedDeleted } from '../endpoints/endpoint-repository'
import { deleteDeliveriesOfDeleted, deleteEmptyEndpoints, deleteOldDeliveries } from './delivery-repository'

/**
 * Deletes portion by portion what is past its days, and endpoints that were deleted or whose account is closed with all that they left. A
 * callback goes after its deliveries.
 */
export async function deleteOld({ sql, keptDays }: { sql: Sql; keptDays: number }): Promise<void> {
  while ((await deleteOldDeliveries(sql, keptDays)) > 0);
  await markClosedDeleted(sql)
  while ((await deleteDeliveriesOfDeleted(sql)) > 0);
  while ((await deleteOldCallbacks(sql)) > 0);
  await deleteEmptyEndpoints(sql)
}
