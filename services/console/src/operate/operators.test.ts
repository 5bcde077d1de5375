import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testLog, until } from '@filmgate/kit/testing'
import { readConfig } from '../config'
import { readOperators, watchOperators, withOperatorRole } from './operators'
import { type OperateSystem, startOperateSystem } from './testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem({ secondFactorRequired: true })
})
afterAll(() => system?.stop())

const ada = { email: 'Ada@example.com', role: 'support' } as const

test('an operator is who proved an address of the list to be theirs, in any letters; nobody else has a role', async () => {
  const operators = watchOperators({ list: JSON.stringify([ada]), file: undefined }, testLog)
  expect(await operators.roleOf({ email: 'ADA@EXAMPLE.com', emailVerified: true })).toBe('support')
  expect(await operators.roleOf({ email: 'ada@example.com', emailVerified: false })).toBeUndefined()
  expect(await operators.roleOf({ email: 'ada@example.com.evil.example', emailVerified: true })).toBeUndefined()
  const person = { id: 'p', name: 'P', email: 'ada@example.com', emailVerified: true, sessionId: 's', address: null }
  const find = withOperatorRole(async request => (request.headers.has('cookie') ? person : undefined), operators)
  expect(await find(new Request('http://c', { headers: { cookie: 'x' } }))).toEqual({ ...person, operatorRole: 'support' })
  expect(await find(new Request('http://c'))).toBeUndefined()
})

test('a list with a slip is refused as a whole', () => {
  const lists = [{ operators: [ada] }, [{ ...ada, role: 'root' }], [{ role: 'read' }], [{ ...ada, email: 'ada' }], [{ ...ada, more: 1 }]]
  for (const list of lists) expect(() => readOperators(JSON.stringify(list))).toThrow()
  expect(() => readOperators(JSON.stringify([ada, { email: 'ada@example.com', role: 'money' }]))).toThrow('duplicate e-mail address')
})

test('who is struck out of the file is none any more; a slip leaves those of before in force', async () => {
  const file = join(tmpdir(), `operators-${crypto.randomUUID()}.json`)
  writeFileSync(file, JSON.stringify([ada]))
  let slips = 0
  const log = { info() {}, error: () => void slips++ } as unknown as typeof testLog
  const operators = watchOperators({ list: undefined, file }, log)
  const role = (email: string) => operators.roleOf({ email, emailVerified: true })
  try {
    expect(await role('ada@example.com')).toBe('support')
    writeFileSync(file, '[{"email":')
    await until('the slip is seen', async () => (await role('ada@example.com')) === 'support' && slips > 0)
    writeFileSync(file, JSON.stringify([{ email: 'bob@example.com', role: 'read' }]))
    await until('the file is read again', async () => (await role('bob@example.com')) === 'read')
    expect(await role('ada@example.com')).toBeUndefined()
  } finally {
    rmSync(file)
  }
})

test('an operator without a second factor is told to set one up, and sees nothing; with one, or with passkeys alone, the pages open', async () => {
  const { sql } = system
  const status = async () => (await system.ask('/operate', 'read')).status
  await sql`insert into credential (id, person_id, provider_id, subject_id, password) values ('c', 'read', 'credential', 'read', 'hash')`
  await sql`
    insert into passkey (id, person_id, public_key, credential_id, counter, device_type, backed_up) values ('k', 'read', 'pk', 'cid', 0, 'singleDevice', false)`
  const page = await system.ask('/operate', 'read')
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('second factor')])
  expect(system.services.calls).toEqual([])
  await sql`update person set two_factor_enabled = true`
  expect(await status()).toBe(303)
  await sql`update session set opened_by = 'password', code_given = true`
  expect(await status()).toBe(200)
  await sql`update person set two_factor_enabled = false`
  expect(await status()).toBe(403)
  await sql`delete from credential`
  await sql`update session set opened_by = null, code_given = false`
  expect(await status()).toBe(303)
  await sql`update session set opened_by = 'passkey'`
  expect(await status()).toBe(200)
})

const environment = {
  DATABASE_URL: 'postgres://console@db/console',
  FILMGATE_CONSOLE_URL: 'https://console.example.com',
  FILMGATE_GATEWAY_URL: 'http://gateway',
  FILMGATE_API_URL: 'https://api.example.com/api/v1',
  FILMGATE_CONSOLE_TOKEN: 'a-token-of-the-console-itself',
  FILMGATE_CONSOLE_SECRET: 'a-secret-of-the-console-of-32-characters',
}

test('the pages are off while nobody is named, and ask for all they need where somebody is', () => {
  expect(readConfig(environment).operate).toBeUndefined()
  const named = { ...environment, FILMGATE_CONSOLE_OPERATORS: JSON.stringify([ada]) }
  expect(() => readConfig(named)).toThrow(/FILMGATE_OPERATOR_TOKEN is not set\n.*FILMGATE_LEDGER_URL is not set/)
  const whole = {
    ...named,
    FILMGATE_OPERATOR_TOKEN: 'a-token-of-operators-of-a-test',
    FILMGATE_LEDGER_URL: 'http://ledger',
    FILMGATE_MEDIA_PROBE_URL: 'http://media-probe',
    FILMGATE_DISPATCHER_URL: 'http://dispatcher',
  }
  expect(readConfig(whole).operate).toMatchObject({ list: JSON.stringify([ada]), secondFactorRequired: true })
  expect(readConfig({ ...whole, FILMGATE_DEVELOPMENT: '1' }).operate).toMatchObject({ secondFactorRequired: false })
  expect(() => readConfig({ ...whole, FILMGATE_CONSOLE_OPERATORS_FILE: '/etc/operators.json' })).toThrow('are both set')
  expect(() => readConfig({ ...whole, FILMGATE_CONSOLE_OPERATORS: 'ada' })).toThrow('FILMGATE_CONSOLE_OPERATORS must be a JSON list')
})
