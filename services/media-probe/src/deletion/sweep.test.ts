import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claimJobs, insertJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { type TestDatabase, testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { copyInput } from '../copies/copy-input'
import { deleteJob, deleteKind } from '../verification/jobs'
import { deleteInputs } from './delete-inputs'
import { sweep, sweepJob, sweepKind } from './sweep'

let database: TestDatabase
let store: ObjectStore
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  store = (await testBucket()).store
})
afterAll(() => database.drop())

const put = (key: string) => store.put(key, Buffer.from('x'), { contentType: 'image/png' })
const keys = async () => (await store.list('inputs/')).map(({ key }) => key)
const verification = (taskId: string, state: string, objectKeys: string[] = []) =>
  database.sql`insert into verification (task_id, account_id, state, object_keys) values (${taskId}, 'a', ${state}, ${objectKeys})`

async function claimed(kind: string): Promise<Job> {
  const [job] = await claimJobs(database.sql, kind, 'test', 60_000, 1)
  if (!job) throw new Error(`no ${kind} to claim`)
  return job
}

test('old objects without a task are swept; young ones and those of verified or waiting tasks stay', async () => {
  await verification('verified', 'verified', ['inputs/verified/2-0.png'])
  await verification('waiting', 'waiting')
  await verification('deleted', 'deleted')
  const held = ['inputs/verified/2-0.png', 'inputs/waiting/1-0.png']
  const orphans = ['inputs/verified/1-0.png', 'inputs/deleted/1-0.png', 'inputs/unknown/1-0.png']
  await Promise.all([...held, ...orphans].map(put))
  await insertJobs(database.sql, [sweepJob])
  const sweeping = { sql: database.sql, store, log: testLog, sweepEveryMs: 0 }

  await sweep({ ...sweeping, now: () => new Date(), orphanAgeMs: 60_000 }, await claimed(sweepKind))
  expect(await keys()).toEqual([...held, ...orphans].sort())
  await sweep({ ...sweeping, now: () => new Date(Date.now() + 5_000), orphanAgeMs: 1_000 }, await claimed(sweepKind))
  expect(await keys()).toEqual(held.sort())
  expect(await claimed(sweepKind)).toMatchObject({ tries: 1 })
})

test('a deletion removes all copies of its task only, and is idempotent', async () => {
  await verification('gone', 'rejected')
  await Promise.all(['inputs/gone/1-0.png', 'inputs/gone/2-1.png', 'inputs/gone2/1-0.png'].map(put))
  await insertJobs(database.sql, [deleteJob('gone', 0)])
  const job = await claimed(deleteKind)
  await deleteInputs({ sql: database.sql, store, now: () => new Date() }, job)
  await deleteInputs({ sql: database.sql, store, now: () => new Date() }, job)
  expect((await keys()).filter(key => key.startsWith('inputs/gone'))).toEqual(['inputs/gone2/1-0.png'])
  expect(await database.sql`select state from verification where task_id = 'gone'`).toMatchObject([{ state: 'deleted' }])
  expect(await database.sql`select 1 from job where kind = ${deleteKind}`).toHaveLength(0)
})

test('a multipart copy is stored completely', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'copy-')), 'file')
  const bytes = 12 * 1_048_576 + 1
  const body = Buffer.alloc(bytes, 7)
  await writeFile(path, body)
  const sha256 = createHash('sha256').update(body).digest('hex')
  const key = 'inputs/copied/1-0.mp4'
  expect(await copyInput(store, { path, key, format: 'mp4', signal: new AbortController().signal })).toEqual({ bytes, sha256 })
  expect(await store.head(key)).toMatchObject({ bytes })
  const answer = await fetch(await store.presignGet(key, 60))
  expect([answer.headers.get('content-type'), answer.headers.get('x-amz-meta-sha256'), (await answer.arrayBuffer()).byteLength]).toEqual([
    'video/mp4',
    sha256,
    bytes,
  ])
})
