import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOutput, saveTo } from './output-file'

const newFolder = () => mkdtempSync(join(tmpdir(), 'filmgate-cli-'))

test('a video is saved under its name, in a folder under its id, and nothing else is left', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'videos'))
  const file = await checkOutput(join(folder, 'boat.mp4'), {})
  const inside = await checkOutput(join(folder, 'videos'), {})
  expect(await saveTo(file, 'vt_1', path => writeFile(path, 'one'))).toBe(join(folder, 'boat.mp4'))
  expect(await saveTo(inside, 'vt_1', path => writeFile(path, 'two'))).toBe(join(folder, 'videos/vt_1.mp4'))
  expect([readdirSync(folder).sort(), readdirSync(join(folder, 'videos'))]).toEqual([['boat.mp4', 'videos'], ['vt_1.mp4']])
})

test('a file that is there is refused before anything is paid, unless --force', async () => {
  const path = join(newFolder(), 'boat.mp4')
  writeFileSync(path, 'mine')
  await expect(checkOutput(path, {})).rejects.toMatchObject({ exit: 2, hints: [expect.stringContaining('--force')] })
  await saveTo(await checkOutput(path, { force: true }), 'vt_1', part => writeFile(part, 'new'))
  expect(readFileSync(path, 'utf8')).toBe('new')
})

test('a file that appears while the video is made is not replaced', async () => {
  const folder = newFolder()
  const path = join(folder, 'boat.mp4')
  const output = await checkOutput(path, {})
  writeFileSync(path, 'mine')
  await expect(saveTo(output, 'vt_1', part => writeFile(part, 'new'))).rejects.toMatchObject({ code: 'file_exists' })
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['mine', ['boat.mp4']])
})

test('a failed save leaves nothing, and a folder that is not there is named', async () => {
  const folder = newFolder()
  const output = await checkOutput(join(folder, 'boat.mp4'), {})
  const failing = saveTo(output, 'vt_1', async part => {
    await writeFile(part, 'half')
    throw new Error('cut')
  })
  await expect(failing).rejects.toThrow('cut')
  expect(readdirSync(folder)).toEqual([])
  await expect(checkOutput(join(folder, 'none/boat.mp4'), {})).rejects.toThrow('there is no folder')
})
