import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkFolder } from './work-folder'

test('folders of dead processes are removed, those of running ones are not', async () => {
  const root = await mkdtemp(join(tmpdir(), 'work-folder-'))
  const dead = Bun.spawn(['true'])
  await dead.exited
  for (const pid of [String(dead.pid), String(process.ppid), 'nonsense']) {
    await mkdir(join(root, pid))
    await writeFile(join(root, pid, 'file'), 'x')
  }
  const folder = await openWorkFolder(root)
  expect((await readdir(root)).sort()).toEqual([String(process.pid), String(process.ppid)].sort())
  await folder.close()
})

test('a run’s bytes are counted until its folder is removed', async () => {
  const folder = await openWorkFolder(await mkdtemp(join(tmpdir(), 'work-folder-')))
  const run = await folder.open('one')
  await writeFile(join(run.path, 'file'), 'four')
  run.add(4)
  expect(folder.bytes()).toBe(4)
  await run.remove()
  expect([folder.bytes(), await readdir(folder.path)]).toEqual([0, []])
  await folder.close()
})
