import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { KafkaJSProtocolError } from 'kafkajs'
import { type Bus, createBus, type Outgoing } from '../bus/bus'
import type { Sql } from '../database/postgres'
import { metricsText } from '../telemetry/metrics'
import { servers, type TestDatabase, type TestTopic, testDatabase, testLog, testTopic, until } from '../testing'
import { createOutbox, type Outbox } from './outbox'
import { findOldestOutboxSeconds } from './outbox-repository'

let database: TestDatabase
let topic: TestTopic
let bus: Bus
const received: { key: string; text: string; eventId: string; traceparent: string | undefined }[] = []

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
  await database.sql`create table fact (id text primary key)`
  topic = await testTopic()
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
  bus.consume({
    group: topic.name,
    topics: { [topic.name]: bytes => new TextDecoder().decode(bytes) },
    async handle(messages) {
      for (const { key, event, eventId, traceparent } of messages) received.push({ key, text: event, eventId, traceparent })
    },
  })
})
afterAll(async () => {
  await bus.stop()
  await topic.drop()
  await database.drop()
})

const message = (key: string, text: string) => ({
  topic: topic.name,
  key,
  value: new TextEncoder().encode(text),
  eventId: Bun.randomUUIDv7(),
})
/** Each event once: a message may come again. */
const textsOf = (key: string) => [...new Map(received.filter(one => one.key === key).map(one => [one.eventId, one.text])).values()]
const waiting = async (key: string) => Number((await database.sql`select count(*) as rows from outbox where key = ${key}`)[0]?.rows)

/** Writes a fact and its event in one transaction. */
const tell = (outbox: Outbox, key: string, ...texts: string[]) =>
  outbox.transaction(async (sql, send) => {
    await sql`insert into fact (id) values (${`${key}-${texts[0]}`})`
    send(texts.map(text => message(key, text)))
  })

async function withOutbox(bus: Pick<Bus, 'publish'>, use: (outbox: Outbox) => Promise<void>, sql: Sql = database.sql) {
  const outbox = createOutbox({ sql, bus, log: testLog })
  try {
    await use(outbox)
  } finally {
    await outbox.stop()
  }
}

/** Writes facts that are not there yet, each with its event, in one statement. */
const tellOnce = (outbox: Outbox, key: string, ...texts: string[]) =>
  outbox.statement(
    texts.map(text => ({ subject: `${key}-${text}`, ...message(key, text) })),
    async (sql, insertion) => {
      const rows = await sql<{ id: string }[]>`
        with fresh as (
          insert into fact (id) select * from unnest(${texts.map(text => `${key}-${text}`)}::text[]) on conflict do nothing returning id
        ), sent as (${insertion} where event.subject in (select id from fresh))
        select id from fresh`
      return new Set(rows.map(({ id }) => id))
    },
  )

async function dieAfterCommit(key: string, ...texts: string[]) {
  const child = Bun.spawn(['bun', join(import.meta.dir, '../testing/die-after-commit.ts'), database.url, topic.name, key, ...texts])
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
}

/** Ages what waits under a key, as if it had been written long ago. */
const age = (key: string) => database.sql`update outbox set created_at = now() - interval '1 minute' where key = ${key}`

test('in one statement: of the events only those are sent whose facts were written', async () => {
  const key = crypto.randomUUID()
  await withOutbox(bus, async outbox => {
    expect(await tellOnce(outbox, key, 'a')).toEqual(new Set([`${key}-a`]))
    expect(await tellOnce(outbox, key, 'a', 'b', 'c')).toEqual(new Set([`${key}-b`, `${key}-c`]))
    await until('the rows are gone', async () => (await waiting(key)) === 0)
    await until('the events', () => textsOf(key).length === 3)
    expect(received.filter(one => one.key === key).map(one => one.text)).toEqual(['a', 'b', 'c'])
    await expect(tellOnce(outbox, key, 'd\u0000')).rejects.toThrow()
    expect(await waiting(key)).toBe(0)
  })
})

test('an event that is a part of the work’s own statement is committed and published with it', async () => {
  const key = crypto.randomUUID()
  await withOutbox(bus, async outbox => {
    await outbox.transaction(async (sql, send) => {
      send([message(key, 'after')])
      await sql`with sent as (${send.fragment([message(key, 'within')])}) insert into fact (id) values (${key})`
    })
    await until('both events', () => textsOf(key).length === 2)
    expect(textsOf(key)).toEqual(['within', 'after'])
    await until('the rows are gone', async () => (await waiting(key)) === 0)
  })
})

test('a fact and its event are committed together, published at once, and leave the outbox once published', async () => {
  const key = crypto.randomUUID()
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await withOutbox(bus, async outbox => {
    const event = { ...message(key, 'a'), traceparent }
    await outbox.transaction(async (_, send) => send([event]))
    await until('the event', () => textsOf(key).length === 1)
    expect(received.find(one => one.key === key)).toEqual({ key, text: 'a', eventId: event.eventId, traceparent })
    await until('the row is gone', async () => (await waiting(key)) === 0)
  })
})

test('a transaction that fails publishes nothing', async () => {
  const key = crypto.randomUUID()
  await withOutbox(bus, async outbox => {
    const failing = outbox.transaction(async (sql, send) => {
      send([message(key, 'never')])
      await sql`select 1/0`
    })
    await expect(failing).rejects.toThrow('division by zero')
    await tell(outbox, key, 'after')
    await until('the event', () => textsOf(key).length === 1)
  })
  expect(textsOf(key)).toEqual(['after'])
})

test('events of a process that was killed between commit and publishing are published by another, once by however many', async () => {
  const key = crypto.randomUUID()
  await dieAfterCommit(key, 'a', 'b', 'c')
  expect(await waiting(key)).toBe(3)
  await withOutbox(bus, () =>
    withOutbox(bus, () => withOutbox(bus, async () => void (await until('the events', () => textsOf(key).length >= 3)))),
  )
  expect(textsOf(key)).toEqual(['a', 'b', 'c'])
  expect(await waiting(key)).toBe(0)
})

test('while the broker does not answer events wait, and then leave in the order of their commits', async () => {
  const key = crypto.randomUUID()
  let failures = 0
  const flaky = {
    async publish(messages: Outgoing[]) {
      if (failures++ < 3) throw new Error('no broker')
      await bus.publish(messages)
    },
  }
  await withOutbox(flaky, async outbox => {
    for (const text of ['a', 'b', 'c', 'd']) await tell(outbox, key, text)
    await until('all events', () => textsOf(key).length === 4)
  })
  expect(textsOf(key)).toEqual(['a', 'b', 'c', 'd'])
})

test('an event that the broker refuses stops no other and stays for whoever looks', async () => {
  const key = crypto.randomUUID()
  await withOutbox(bus, async outbox => {
    await tell(outbox, key, 'a', 'x'.repeat(1_200_000), 'b')
    await tell(outbox, key, 'c')
    await until('the others', () => textsOf(key).length === 3)
    expect(textsOf(key)).toEqual(['a', 'b', 'c'])
    await until('only the refused one waits', async () => (await waiting(key)) === 1)
    await age(key)
    expect(await findOldestOutboxSeconds(database.sql)).toBeGreaterThanOrEqual(60)
    const after = crypto.randomUUID()
    await dieAfterCommit(after, 'swept')
    await age(after)
    await until('the sweeper passes it by', () => textsOf(after).length === 1)
  })
  expect(await waiting(key)).toBe(1)
  await database.sql`delete from outbox where key = ${key}`
})

test('a thousand rows that the broker refuses stop no other: not another topic’s, not later ones of their own', async () => {
  const [key, nowhere] = [crypto.randomUUID(), `nowhere-${crypto.randomUUID()}`]
  const insert = (of: string, from: number, rows: number, kind: string) => database.sql`
    insert into outbox (id, topic, key, value, headers, created_at)
    select (lpad(to_hex(${from} + n), 8, '0') || '-0000-7000-8000-000000000000')::uuid, ${of}, ${kind}, ${Buffer.from('late')}, '{}',
      now() - interval '1 minute'
    from generate_series(1, ${rows}::int) as n`
  // Seen as two topics by the broker: one it doesn't know, and one it serves.
  const refusing = {
    async publish(messages: Outgoing[]) {
      if (messages.some(({ topic }) => topic === nowhere))
        throw new KafkaJSProtocolError(
          Object.assign(new Error('unknown topic'), { type: 'UNKNOWN_TOPIC_OR_PARTITION', code: 3, retriable: true }),
        )
      await bus.publish(messages)
    },
  }
  await insert(nowhere, 0, 1_001, nowhere)
  await insert(topic.name, 5_000, 1, key)
  await withOutbox(refusing, async () => {
    await until('the later one', () => textsOf(key).length === 1)
    await until('the refused are told', async () => (await metricsText()).includes(`outbox_refused_waiting{topic="${nowhere}"} 1001`))
  })
  expect([await waiting(nowhere), await waiting(key)]).toEqual([1_001, 0])
  await database.sql`delete from outbox where key = ${nowhere}`
})

test('more than the broker takes in one request is sent in several, in order', async () => {
  const key = crypto.randomUUID()
  const texts = Array.from({ length: 3_000 }, (_, n) => `${n}:${'x'.repeat(1_000)}`)
  await withOutbox(bus, async outbox => {
    await tell(outbox, key, ...texts)
    await until('all events', () => textsOf(key).length === texts.length)
  })
  expect(textsOf(key).map(text => Number.parseInt(text, 10))).toEqual(texts.map((_, n) => n))
})

test('what has been published leaves the outbox even where the first try failed', async () => {
  const key = crypto.randomUUID()
  let broken = true
  // The one statement of the outbox that is a tagged call outside of a transaction and takes published rows off.
  const sql = new Proxy(database.sql, {
    apply(target, self, args: unknown[]) {
      if (
        broken &&
        String((args[0] as string[])[0])
          .trimStart()
          .startsWith('delete from outbox')
      )
        return Promise.reject(new Error('no database'))
      return Reflect.apply(target, self, args)
    },
  })
  await withOutbox(
    bus,
    async outbox => {
      await tell(outbox, key, 'a')
      await until('the event', () => textsOf(key).length === 1)
      await until('a try has failed', async () => (await waiting(key)) === 1)
      await Bun.sleep(400)
      broken = false
      await until('the row is gone', async () => (await waiting(key)) === 0)
    },
    sql,
  )
})
