import type { Sql } from '@filmgate/kit/database/postgres'
import { invariant } from '@filmgate/kit/failure'
import type { Delivery } from './delivery'
import { findDelivery, insertDeliveries, lockEndpoint, markDue } from './delivery-repository'
import { newDeliveryId } from './receive'

export type SendTestDeps = { sql: Sql; retryForSeconds: number; now: () => Date; wake(): void }

/** A delivery of type webhook.test, sent as any other: with signature, retries and its line in the log. */
export async function sendTest({ sql, retryForSeconds, now, wake }: SendTestDeps, endpointId: string): Promise<Delivery> {
  const id = newDeliveryId()
  const body = JSON.stringify({ type: 'webhook.test', timestamp: now().toISOString(), data: {} })
  const delivery = (await sql.begin(async sql => {
    await lockEndpoint(sql, endpointId)
    await insertDeliveries(sql, [{ id, endpointId, eventId: id, event: 'webhook.test', taskId: null, body }], retryForSeconds)
    await markDue(sql, [endpointId])
    return findDelivery(sql, endpointId, id)
  })) as Delivery | undefined
  invariant(delivery, 'a delivery that was inserted is there')
  wake()
  return delivery
}
