import { createHmac } from 'node:crypto'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { invariant } from '@filmgate/kit/failure'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'

const numberMax = 0xfff

/**
 * The id of the `number`-th attempt at an order: `at_` and a UUIDv7 in hex of the order's milliseconds, the number and 62 bits of an HMAC.
 * It is the same each time it is made. An attempt whose commit is lost, by a database that is restored or failed over, is sent again under
 * the same id, and a provider that knows its clients' ids makes one video. The secret keeps the id unguessable: it is in the address that the
 * provider calls back. Ids sort by the age of their orders, which is up to the time of admission before the attempt.
 */
export function attemptIdOf(secret: string, { taskId, createdAt }: Pick<Order, 'taskId' | 'createdAt'>, number: number): string {
  invariant(number <= numberMax, 'an order has at most 4,095 attempts')
  const code = createHmac('sha256', secret).update(`${taskId} ${number}`).digest().readBigUInt64BE()
  const variant = BigInt.asUintN(62, code) | (1n << 63n)
  return `${attemptIdAt(createdAt ? timestampMs(createdAt) : 0)}7${number.toString(16).padStart(3, '0')}${variant.toString(16)}`
}

/** How the ids begin of attempts at orders of that moment; for comparing only. */
export const attemptIdAt = (ms: number): string => `at_${ms.toString(16).padStart(12, '0')}`
