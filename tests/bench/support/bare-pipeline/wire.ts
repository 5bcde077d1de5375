import { Kafka, logLevel } from 'kafkajs'
import postgres from 'postgres'

/** What the parts of the bare pipeline share: one database, one producer each, and the least that gathers what arrives at one moment. */
export type Order = { id: string; body: string }

const need = (name: string): string => process.env[name] ?? fail(`${name} is missing`)
const fail = (words: string): never => {
  throw new Error(words)
}

// A part ends with whoever started it, however that ended.
void Bun.stdin.text().then(() => process.exit(0))

const prefix = need('BARE_PREFIX')
export const topics = { requests: `${prefix}.requests`, credits: `${prefix}.credits`, generations: `${prefix}.generations` }
const connections = 4
export const sql = postgres(need('BARE_DATABASE_URL'), {
  max: connections,
  onnotice: () => {},
  connection: { plan_cache_mode: 'force_generic_plan' } as never,
})
const kafka = new Kafka({ clientId: prefix, brokers: need('BARE_BROKERS').split(','), logLevel: logLevel.NOTHING })

/** Merges what comes while a call is under way into the next call. */
export function gathered<T>(handle: (items: T[]) => Promise<void>): (items: T[]) => Promise<void> {
  let waiting: { items: T[]; resolve(): void; reject(error: unknown): void }[] = []
  let running = false
  async function run(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const now = waiting
      waiting = []
      await handle(now.flatMap(({ items }) => items)).then(
        () => now.forEach(({ resolve }) => void resolve()),
        error => now.forEach(({ reject }) => void reject(error)),
      )
    }
    running = false
  }
  return items =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject })
      if (!running) void run()
    })
}

/** The part of a statement that writes one event an order. */
export const outboxed = (orders: Order[], topic: string) => sql`
  insert into outbox (id, topic, value)
  select id, ${topic}, value from unnest(${orders.map(({ id }) => id)}::uuid[], ${orders.map(order => JSON.stringify(order))}::text[]) as row (id, value)`

/** Sends orders, and deletes them from the outbox five times a second. */
export async function startPublisher(topic: string): Promise<(orders: Order[]) => void> {
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
  await producer.connect()
  let published: string[] = []
  setInterval(() => {
    if (published.length === 0) return
    void sql`delete from outbox where topic = ${topic} and id = any(${published}::uuid[])`.execute()
    published = []
  }, 200)
  const publish = gathered<Order>(async orders => {
    await producer.send({ topic, acks: -1, messages: orders.map(order => ({ key: order.id, value: JSON.stringify(order) })) })
    published.push(...orders.map(({ id }) => id))
  })
  return orders => void publish(orders)
}

/** Handles whatever the partitions deliver at one moment; resolves once partitions are assigned. */
export async function follow(topic: string, handle: (orders: Order[]) => Promise<void>): Promise<void> {
  const consumer = kafka.consumer({ groupId: `${topic}-follower`, maxWaitTimeInMs: 500, sessionTimeout: 6_000, heartbeatInterval: 1_000 })
  const joined = Promise.withResolvers<void>()
  consumer.on(consumer.events.GROUP_JOIN, () => joined.resolve())
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  const together = gathered(handle)
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 4,
    async eachBatch({ batch, resolveOffset }) {
      await together(batch.messages.map(({ value }) => JSON.parse(value?.toString() ?? '')))
      resolveOffset(batch.lastOffset())
    },
  })
  await joined.promise
}
