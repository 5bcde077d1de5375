import { beforeAll, expect, test } from 'bun:test'
import { type DatabaseOwner, databaseOwners } from '@filmgate/tools/stack/contents/database-owners'
import { audit } from '../../../support/operator/operator'
import { deadLetters } from '../../../support/servers/dead-letters'
import { faultMs } from '../../../support/suite/fault-length'
import { addFigure } from '../../../support/suite/figures'
import { judgeOrders } from './judge'
import { type Load, repeatSince, startLoad } from './load'
import { missing, type Rows, rowsOf } from './rows'
import { copyBase, lose, restore, startArchive } from './servers'
import { loseKafka } from './storage'

/** Two minutes where `test:faults` asks for its ten; orders come meanwhile. */
const setBackMs = faultMs(60_000) / 5
const beforeMs = 20_000
const afterMs = 20_000
/** The slowest order takes half a minute, a replay that comes by itself as long. */
const endMsMax = 240_000
const drillMsMax = 900_000

const say = (line: string) => process.stderr.write(`${line}\n`)

beforeAll(async () => {
  for (const owner of databaseOwners) await startArchive(owner)
}, drillMsMax)

/** A loss under load: orders go on before, during and after it. Then every client repeats what it asked since the moment. */
async function drill(name: string, prepare: () => Promise<void>, loss: (moment: Date) => Promise<void>): Promise<void> {
  await prepare()
  const load = await startLoad()
  await Bun.sleep(beforeMs)
  const moment = new Date()
  await Bun.sleep(setBackMs)
  const lostAt = performance.now()
  await loss(moment)
  const minutes = (performance.now() - lostAt) / 60_000
  await Bun.sleep(afterMs)
  await load.stop()
  await repeatSince(load, new Date(moment.getTime() - beforeMs))
  expect(await judgeOrders(load.clients, endMsMax)).toEqual([])
  expect(await audit()).toEqual([])
  expect(await deadLetters()).toEqual([])
  addFigure(`${name}.minutes`, minutes)
  addFigure(`${name}.orders`, ordersOf(load))
}

const ordersOf = ({ clients }: Load): number => clients.reduce((sum, { orders }) => sum + orders.length, 0)

/** The databases at once, each on its own server, while the others go on. Says what was lost with each, and what came back. */
async function setBack(name: string, owners: readonly DatabaseOwner[]): Promise<void> {
  const before = new Map<DatabaseOwner, Rows>()
  await drill(
    name,
    async () => {
      for (const owner of owners) await copyBase(owner)
    },
    async moment => {
      for (const owner of owners) before.set(owner, await rowsOf(owner))
      await Promise.all(owners.map(lose))
      await Promise.all(owners.map(owner => restore(owner, moment)))
      for (const owner of owners) await sayMissing(name, owner, 'lost', before)
    },
  )
  for (const owner of owners) await sayMissing(name, owner, 'not recovered', before)
}

async function sayMissing(name: string, owner: DatabaseOwner, what: string, before: ReadonlyMap<DatabaseOwner, Rows>): Promise<void> {
  const counts = missing(before.get(owner) ?? new Map(), await rowsOf(owner))
  for (const [table, count] of counts) {
    say(`${name}: ${what}: ${owner} ${table} ${count}`)
    addFigure(`${name}.${owner}.${table}.${what.replace(' ', '-')}`, count)
  }
}

for (const owner of ['media-probe'] as const)
  test(`the database of ${owner} is set back: each order has one video, paid once`, () => setBack(owner, [owner]), drillMsMax)

test('Kafka’s disk is lost: each order has one video, paid once', () => drill('kafka', async () => {}, loseKafka), drillMsMax)
