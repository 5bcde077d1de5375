import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFiles, readKeys } from './read-keys'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-keys-'))
function fileWith(text: string): string {
  const path = join(folder, crypto.randomUUID())
  writeFileSync(path, text)
  return path
}
const none = { falKey: undefined, falKeyFile: undefined, runwareKey: undefined, runwareKeyFile: undefined }
const key = 'id:secret-of-16-and-more'

test('a key is the environment’s, or the one line of its file as it is now', () => {
  expect(readKeys({ ...none, falKey: key })).toEqual({ falKey: key, runwareKey: undefined })
  const falKeyFile = fileWith(`${key}\n`)
  const runwareKeyFile = fileWith(key)
  const settings = { ...none, falKeyFile, runwareKeyFile }
  expect(readKeys(settings)).toEqual({ falKey: key, runwareKey: key })
  writeFileSync(falKeyFile, `another-${key}`)
  expect(readKeys(settings)).toEqual({ falKey: `another-${key}`, runwareKey: key })
  expect(keyFiles(settings)).toEqual([falKeyFile, runwareKeyFile])
})

test('a file that is empty or not there turns its maker off; one that holds no key is a fault that doesn’t show it', () => {
  for (const falKeyFile of [fileWith(''), fileWith('\n'), join(folder, 'absent')])
    expect(readKeys({ ...none, falKeyFile })).toEqual({ falKey: undefined, runwareKey: undefined })
  for (const text of ['short', `${key}\n${key}`, `${key} `, 'ключ-ключ-ключ-ключ']) {
    const read = () => readKeys({ ...none, runwareKeyFile: fileWith(text) })
    expect(read).toThrow('RUNWARE_API_KEY_FILE names a file that holds no key')
    expect(read).not.toThrow(text)
  }
})
