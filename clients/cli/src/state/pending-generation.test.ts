import { expect, test } from 'bun:test'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldersOf } from '../config/folders'
import { forgetPending, listAbandoned, listPending, type PendingGeneration, savePending } from './pending-generation'
import { processStartOf, thisProcess } from './process-start'

const newFolders = () => foldersOf({}, mkdtempSync(join(tmpdir(), 'filmgate-cli-')))
const pending = (changes: Partial<PendingGeneration>): PendingGeneration => ({
  idempotencyKey: 'cli-1',
  url: 'https://one.example/api/v1',
  keyId: 'key_1',
  request: { model: 'alpha-h3', prompt: 'A boat' },
  createdAt: '2026-11-26T10:00:00.000Z',
  pid: process.pid,
  ...changes,
})

test('what was left is read again whole, oldest first, and is readable by its owner alone', async () => {
  const folders = newFolders()
  const [one, two] = [
    pending({}),
    pending({ idempotencyKey: 'cli-2', createdAt: '2026-11-26T09:00:00.000Z', taskId: 'vt_1', tags: { a: 'b' } }),
  ]
  await savePending(folders, one)
  await savePending(folders, two)
  expect(await listPending(folders)).toEqual([two, one])
  expect(statSync(join(folders.state, 'generations/cli-1.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(folders.state, 'generations')).mode & 0o777).toBe(0o700)
  await forgetPending(folders, 'cli-1')
  await forgetPending(folders, 'cli-1')
  expect(await listPending(folders)).toEqual([two])
})

test('files that are none of ours are left alone, also one that names another file as its key', async () => {
  const folders = newFolders()
  await savePending(folders, pending({}))
  const folder = join(folders.state, 'generations')
  writeFileSync(join(folder, 'half.json'), '{"idempotencyKey":')
  writeFileSync(join(folder, 'other.json'), JSON.stringify(pending({ idempotencyKey: '../../cli-1' })))
  expect(await listPending(folders)).toEqual([pending({})])
  expect(await listPending(newFolders())).toEqual([])
})

test('a generation that another process waits for is not taken for one that was left', async () => {
  const folders = newFolders()
  const ended = Bun.spawnSync(['true']).pid
  await savePending(folders, pending({ pid: process.ppid, createdAt: new Date().toISOString() }))
  await savePending(folders, pending({ idempotencyKey: 'cli-2', pid: ended }))
  expect((await listAbandoned(folders)).map(({ idempotencyKey }) => idempotencyKey)).toEqual(['cli-2'])
})

test.skipIf(process.platform !== 'linux')('a pid that another program has by now does not hold a generation', async () => {
  const folders = newFolders()
  const pid = process.ppid
  const processStart = processStartOf(pid)
  expect(processStart).toMatch(/^[0-9a-f-]{36} \d+$/)
  expect(thisProcess()).toEqual({ pid: process.pid, processStart: processStartOf(process.pid) })
  await savePending(folders, pending({ pid, processStart }))
  await savePending(folders, pending({ idempotencyKey: 'cli-2', pid, processStart: `${processStart}1` }))
  await savePending(folders, pending({ idempotencyKey: 'cli-3', pid, processStart: `another-boot ${processStart?.split(' ')[1]}` }))
  expect((await listAbandoned(folders)).map(({ idempotencyKey }) => idempotencyKey)).toEqual(['cli-2', 'cli-3'])
})

test('where starts are not told, what was written before the machine began is left', async () => {
  const folders = newFolders()
  await savePending(folders, pending({ pid: process.ppid, createdAt: '2001-01-01T00:00:00.000Z' }))
  await savePending(folders, pending({ idempotencyKey: 'cli-2', pid: process.ppid, createdAt: new Date().toISOString() }))
  expect((await listAbandoned(folders)).map(({ idempotencyKey }) => idempotencyKey)).toEqual(['cli-1'])
})
