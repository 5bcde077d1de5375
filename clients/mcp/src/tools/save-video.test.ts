import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileNameForm, saveNew } from './save-video.ts'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-mcp-save-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const write = (text: string) => (path: string) => writeFile(path, text)

test('a name without folders alone is taken', () => {
  const names = [
    'boat.mp4',
    'A boat-2.v1.mp4',
    '../boat.mp4',
    '/etc/boat.mp4',
    'a/boat.mp4',
    'a\\boat.mp4',
    '.boat.mp4',
    'boat.sh',
    'bo\0at.mp4',
    '',
  ]
  expect(names.filter(name => fileNameForm.test(name))).toEqual(['boat.mp4', 'A boat-2.v1.mp4'])
})

test('a file or a link that is there is never touched, and nothing stays behind of what fails', async () => {
  const outside = join(folder, 'outside.txt')
  await writeFile(outside, 'kept')
  await symlink(outside, join(folder, 'link.mp4'))
  expect(await saveNew(folder, 'boat.mp4', write('video'))).toMatchObject({ bytes: 5 })
  await expect(saveNew(folder, 'boat.mp4', write('other'))).rejects.toThrow('There is a boat.mp4 already')
  await expect(saveNew(folder, 'link.mp4', write('other'))).rejects.toThrow('There is a link.mp4 already')
  await expect(
    saveNew(folder, 'cut.mp4', async path => {
      await writeFile(path, 'vid')
      throw new Error('cut')
    }),
  ).rejects.toThrow('cut')
  expect([await readFile(outside, 'utf8'), await readFile(join(folder, 'boat.mp4'), 'utf8')]).toEqual(['kept', 'video'])
  expect((await readdir(folder)).toSorted()).toEqual(['boat.mp4', 'link.mp4', 'outside.txt'])
})
