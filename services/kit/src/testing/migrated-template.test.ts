import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { servers, testDatabase } from '../testing'
import { migratedTemplate } from './migrated-template'

const connect = () => postgres(servers.postgresUrl, { max: 1, onnotice: () => {} })
const admins = [connect(), connect(), connect()] as const
const [admin] = admins
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'template-'))
  await Bun.write(join(folder, '0001_first.sql'), 'create table first (n int); insert into first values (1);')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await Promise.all(admins.map(one => one.end()))
})

const template = (one: postgres.Sql = admin) => migratedTemplate(one, servers.postgresUrl, folder)
const exists = async (name: string) => (await admin`select 1 from pg_database where datname = ${name}`).length > 0

test('several that want one at once share one, and what is made from it has rows of its own', async () => {
  const names = await Promise.all(admins.map(template))
  expect(new Set(names).size).toBe(1)
  const [one, other] = await Promise.all([testDatabase(folder), testDatabase(folder)])
  await one.sql`insert into first values (2)`
  expect([await one.sql`select n from first`, await other.sql`select n from first`]).toEqual([[{ n: 1 }, { n: 2 }], [{ n: 1 }]] as never)
  expect(await one.sql`select name from migration where name like 'own/%'`).toEqual([{ name: 'own/0001_first.sql' }] as never)
  await Promise.all([one.drop(), other.drop()])
})

test('one that was left half-built is built anew', async () => {
  const name = await template()
  await admin.unsafe(`drop database ${name}`)
  await admin.unsafe(`create database ${name}`)
  expect(await template()).toBe(name)
  const whole = await testDatabase(folder)
  expect((await whole.sql`select n from first`).length).toBe(1)
  await whole.drop()
})

test('a changed migration has a template of its own, and the one before is dropped', async () => {
  const before = await template()
  await Bun.write(join(folder, '0002_second.sql'), 'create table second (n int);')
  const after = await template()
  expect([before === after, await exists(before), await exists(after)]).toEqual([false, false, true])
})
