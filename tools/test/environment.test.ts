import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '../providers'
import { applyStackSettings } from './environment'

const keys = Object.values(providers).map(({ key }) => key)
const settingNames = ['FILMGATE_TEST_OF_SETTINGS', 'FILMGATE_TEST_OF_OTHERS']
const names = [...keys, ...settingNames]
afterEach(() => {
  for (const name of names) delete process.env[name]
})

test('a test stack has no provider keys, whatever the user or its settings file sets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-environment-'))
  const file = join(folder, 'stack.env')
  writeFileSync(file, 'FILMGATE_TEST_OF_SETTINGS=file\nFILMGATE_TEST_OF_OTHERS=file\n')
  for (const settings of [file, join(folder, 'absent')]) {
    Object.assign(process.env, { ...Object.fromEntries(keys.map(key => [key, 'secret'])), FILMGATE_TEST_OF_OTHERS: 'user' })
    applyStackSettings(settings)
    expect(keys.filter(key => process.env[key] !== undefined)).toEqual([])
  }
  expect(settingNames.map(name => process.env[name])).toEqual(['file', 'user'])
  rmSync(folder, { recursive: true })
})

test('the keys that tests remove are those of all the dispatcher’s providers', () => {
  const table = readFileSync(join(import.meta.dir, '../../services/dispatcher/src/providers/outside-providers.ts'), 'utf8')
  const rows = [...table.matchAll(/^ {2}'?([\w-]+)'?: \{ key: '(\w+)', url: '(\w+)'/gm)]
  expect(rows.map(([, provider = '', key, url]) => [provider, { key, url }])).toEqual(
    Object.entries(providers).map(([provider, { key, url }]) => [provider, { key, url }]),
  )
})
