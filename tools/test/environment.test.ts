import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyStackSettings } from './environment'

const names = ['FAL_KEY', 'RUNWARE_API_KEY', 'FILMGATE_TEST_OF_SETTINGS', 'FILMGATE_TEST_OF_OTHERS']
afterEach(() => {
  for (const name of names) delete process.env[name]
})

test('a stack that tests run against has no maker’s key, whatever the user has set, with settings of its own or without', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-environment-'))
  const file = join(folder, 'stack.env')
  writeFileSync(file, 'FILMGATE_TEST_OF_SETTINGS=file\nFILMGATE_TEST_OF_OTHERS=file\n')
  for (const settings of [file, join(folder, 'absent')]) {
    Object.assign(process.env, { FAL_KEY: 'id:secret', RUNWARE_API_KEY: 'secret', FILMGATE_TEST_OF_OTHERS: 'user' })
    applyStackSettings(settings)
    expect([process.env.FAL_KEY, process.env.RUNWARE_API_KEY]).toEqual([undefined, undefined])
  }
  expect(names.slice(2).map(name => process.env[name])).toEqual(['file', 'user'])
  rmSync(folder, { recursive: true })
})
