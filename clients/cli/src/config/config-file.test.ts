import { afterEach, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteConfig, readConfig, writeConfig } from './config-file'
import { foldersOf } from './folders'
import { readSettings } from './settings'

const home = mkdtempSync(join(tmpdir(), 'filmgate-cli-'))
const folders = foldersOf({}, home)
const config = { url: 'https://one.example/api/v1', key: 'sk_live_stored', account: 'Studio' }
afterEach(() => rmSync(folders.config, { recursive: true, force: true }))

test('a sign-in is kept where only its owner reads it, also in a folder that was open, and nothing else is left there', async () => {
  mkdirSync(folders.config, { recursive: true, mode: 0o755 })
  chmodSync(folders.config, 0o755)
  await writeConfig(folders, config)
  await writeConfig(folders, { ...config, account: 'Other' })
  expect(statSync(folders.config).mode & 0o777).toBe(0o700)
  expect(statSync(join(folders.config, 'config.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folders.config)).toEqual(['config.json'])
  expect(await readConfig(folders)).toEqual({ ...config, account: 'Other' })
  expect([await deleteConfig(folders), await deleteConfig(folders), await readConfig(folders)]).toEqual([true, false, undefined])
})

test('files lie where XDG says; a relative path there is ignored', () => {
  const given = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative', XDG_CACHE_HOME: '' }
  expect(foldersOf(given, '/home/one')).toEqual({
    config: '/c/filmgate',
    state: '/home/one/.local/state/filmgate',
    cache: '/home/one/.cache/filmgate',
  })
})

test('a config that is broken or lacks something is named with what to do, and is not overwritten in silence', async () => {
  mkdirSync(folders.config, { recursive: true })
  for (const [text, fault] of [
    ['{', 'is no JSON'],
    ['{"url":"https://one.example"}', 'has no url and key'],
    ['null', 'has no url and key'],
  ] as const) {
    writeFileSync(join(folders.config, 'config.json'), text)
    await expect(readConfig(folders)).rejects.toMatchObject({ code: 'config_unreadable', message: expect.stringContaining(fault) })
  }
})

test('an option beats the environment, which beats the config', async () => {
  await writeConfig(folders, config)
  const environment = { FILMGATE_API_KEY: 'sk_live_env', FILMGATE_URL: 'https://env.example/api/v1/' }
  expect(await readSettings({}, {}, folders)).toEqual({ ...config, keyFrom: 'config' })
  expect(await readSettings({}, environment, folders)).toEqual({
    url: 'https://env.example/api/v1',
    key: 'sk_live_env',
    keyFrom: 'environment',
  })
  expect(await readSettings({ key: 'sk_live_flag' }, environment, folders)).toMatchObject({ key: 'sk_live_flag', keyFrom: 'option' })
  expect(await readSettings({ key: 'sk_live_flag' }, {}, folders)).toMatchObject({ key: 'sk_live_flag', url: config.url })
})

test('the stored key is never sent to another address than the one it was made for', async () => {
  await writeConfig(folders, config)
  const elsewhere = readSettings({ url: 'https://evil.example/api/v1' }, {}, folders)
  await expect(elsewhere).rejects.toMatchObject({ code: 'missing_api_key', exit: 4 })
  await expect(readSettings({}, { FILMGATE_URL: 'https://one.example.evil/api/v1' }, folders)).rejects.toMatchObject({ exit: 4 })
  expect(await readSettings({ url: `${config.url}/` }, {}, folders)).toMatchObject({ key: config.key })
})

test('without a key, an address, or with either malformed the Failure says what to give', async () => {
  await expect(readSettings({}, {}, folders)).rejects.toMatchObject({ exit: 4, hints: [expect.stringContaining('filmgate login')] })
  await expect(readSettings({ key: 'sk_live_x' }, {}, folders)).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining('address'),
  })
  for (const url of ['gateway.example', 'ftp://one.example', 'https://user:pass@one.example', ''])
    await expect(readSettings({ key: 'sk_live_x', url }, {}, folders)).rejects.toMatchObject({ exit: 2 })
  await expect(readSettings({ key: 'sk live', url: config.url }, {}, folders)).rejects.toMatchObject({ code: 'invalid_api_key' })
})
