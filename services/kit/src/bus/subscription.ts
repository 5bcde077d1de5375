import type { Incoming } from './message'

export type Subscription<T> = {
  group: string
  /** Topic → how its bytes are read. A message that can't be read goes to `<topic>.dlq`. */
  topics: Record<string, (bytes: Uint8Array) => T>
  /** Gets all that the partitions deliver at one moment. Must commit its effects before it resolves and be idempotent. */
  handle(messages: Incoming<T>[]): Promise<void>
}
