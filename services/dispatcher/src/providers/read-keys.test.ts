import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OutsideProvider, type OutsideSettings, type ProviderSettings, providerNames } from './outside-providers'
import { keyFiles, readKeys } from './read-keys'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-keys-'))
function fileWith(text: string): string {
  const path = join(folder, crypto.randomUUID())
  writeFileSync(path, text)
  return path
}
const set = (own: Partial<Record<OutsideProvider, Partial<ProviderSettings>>>) =>
  Object.fromEntries(
    providerNames.map(provider => [provider, { url: '', key: undefined, keyFile: undefined, ...own[provider] }]),
  ) as OutsideSettings
const key = 'id:secret-of-16-and-more'

test('a key is the environment’s, or the one line of its file as it is now', () => {
  expect(readKeys(set({ fal: { key } }))).toEqual({ fal: key })
  const falFile = fileWith(`${key}\n`)
  const runwareFile = fileWith(key)
  const settings = set({ fal: { keyFile: falFile }, runware: { keyFile: runwareFile } })
  expect(readKeys(settings)).toEqual({ fal: key, runware: key })
  writeFileSync(falFile, `another-${key}`)
  expect(readKeys(settings)).toEqual({ fal: `another-${key}`, runware: key })
  expect(keyFiles(settings)).toEqual([falFile, runwareFile])
})

test('a file that is empty or not there turns its provider off; one that holds no key is a fault that doesn’t show it', () => {
  for (const keyFile of [fileWith(''), fileWith('\n'), join(folder, 'absent')]) expect(readKeys(set({ fal: { keyFile } }))).toEqual({})
  for (const text of ['short', `${key}\n${key}`, `${key} `, 'ключ-ключ-ключ-ключ']) {
    const read = () => readKeys(set({ runware: { keyFile: fileWith(text) } }))
    expect(read).toThrow('RUNWARE_API_KEY_FILE names a file that holds no key')
    expect(read).not.toThrow(text)
  }
})

test('a file that can’t be read is a fault, and turns nothing off', () => {
  const inAFile = join(fileWith(''), 'key')
  for (const [keyFile, code] of [
    [folder, 'EISDIR'],
    [inAFile, 'ENOTDIR'],
  ] as const)
    expect(() => readKeys(set({ fal: { keyFile } }))).toThrow(`FAL_KEY_FILE names a file that can’t be read: ${code}`)
})
