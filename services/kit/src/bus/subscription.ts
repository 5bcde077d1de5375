import type { Incoming } from './message'

export type Subscription<T> = {
  group: string
  /** Topic → how its bytes are read. A message that can't be read goes to `<topic>.dlq`. */
  topics: Record<string, (bytes: Uint8Array) => T>
  /**
   * Gets all that the partitions deliver at one moment. Must commit its effects before it resolves and be idempotent. What it throws is
   * waited for unless it is the message's own fault: an UnprocessableMessage, or what only some messages fail with.
   */
  handle(messages: Incoming<T>[]): Promise<void>
  /**
   * For messages nobody waits for: the pause after a batch, so that a stream of them costs some turns a second and not one a message
   * (measured: such a turn takes 0.7 ms of CPU here and 0.5 ms of the broker). The first after a silence is still handled at once.
   */
  pollIntervalMs?: number
  /**
   * Topics whose messages wait this long, in milliseconds, for one of the others to be handled with: where the next event of a line
   * follows soon, both cost one turn.
   */
  lingerMs?: Record<string, number>
  /** How long our own code may stumble over a message that has no other to be compared with before it is set aside (docs/decisions/0107). */
  loneFaultMsMax?: number
}
