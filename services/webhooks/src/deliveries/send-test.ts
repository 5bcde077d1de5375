import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure, invariant } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Delivery } from './delivery'
import { countTests, findDelivery, insertDeliveries, lockEndpoint, markDue } from './delivery-repository'
import { newDeliveryId } from './receive'

export type SendTestDeps = { sql: Sql; retryForSeconds: number; now: () => Date; wake(): void }

/** Of an endpoint in an hour. */
const testsMax = 60
const retryAfterSeconds = 60

/** A delivery of type webhook.test, sent as any other, but tried once. */
export async function sendTest({ sql, retryForSeconds, now, wake }: SendTestDeps, endpointId: string): Promise<Delivery> {
  const id = newDeliveryId()
  const body = JSON.stringify({ type: 'webhook.test', timestamp: now().toISOString(), data: {} })
  const delivery = (await sql.begin(async sql => {
    await lockEndpoint(sql, endpointId)
    if ((await countTests(sql, endpointId)) >= testsMax) throw new Failure<Reason>('test_limit', { retryAfterSeconds })
    await insertDeliveries(sql, [{ id, endpointId, eventId: id, event: 'webhook.test', taskId: null, body }], retryForSeconds)
    await markDue(sql, [endpointId])
    return findDelivery(sql, endpointId, id)
  })) as Delivery | undefined
  invariant(delivery, 'a delivery that was inserted is there')
  wake()
  return delivery
}
