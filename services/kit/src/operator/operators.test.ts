import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operatorEnvironment } from '../environment/operator-environment'
import { metricsText } from '../telemetry/metrics'
import { testLog, until } from '../testing'
import { followOperators, readOperators } from './operators'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-operators-'))
const file = join(dir, 'operators.json')
afterAll(() => rmSync(dir, { recursive: true }))

const shared = 'the-shared-token-of-machines'
const digest = (token: string) => createHash('sha256').update(token).digest('hex')
const ana = { name: 'ana@example.com', role: 'support', token_sha256: digest('ana’s') }
const write = (...operators: object[]) => writeFileSync(file, JSON.stringify({ operators }))
const settings = (env: Record<string, string> = {}) => operatorEnvironment.readGroup({ FILMGATE_OPERATOR_TOKEN: shared, ...env })
const isFaulty = async () => /^operators_file_faulty(\{[^}]*\})? 1/m.test(await metricsText())

test('the shared token has the role it is given, money without a word, and speaks for whoever uses it', async () => {
  const of = async (env: Record<string, string>) => {
    const { operators, component } = followOperators(settings(env), testLog)
    await component.stop()
    return [operators.find(shared), operators.find(`${shared}x`), operators.find('')]
  }
  const holder = { name: undefined, role: 'money' as const, actsForOthers: true }
  expect(await of({})).toEqual([holder, undefined, undefined])
  expect(await of({ FILMGATE_OPERATOR_TOKEN_ROLE: 'read' })).toEqual([{ ...holder, role: 'read' }, undefined, undefined])
  expect(() => settings({ FILMGATE_OPERATOR_TOKEN_ROLE: 'admin' })).toThrow('FILMGATE_OPERATOR_TOKEN_ROLE')
})

test('while the shared token is rotated, both open, and are one operator in the list', async () => {
  const next = 'the-next-token-of-machines'
  const { operators, component } = followOperators(settings({ FILMGATE_OPERATOR_TOKEN_ACCEPTED: next }), testLog)
  await component.stop()
  expect([operators.find(next), operators.find(`${next}x`)]).toEqual([operators.find(shared), undefined])
  expect(operators.list()).toHaveLength(1)
})

test('who is written into the file is let in, who is taken out is not, and a slip leaves those in force that were, without a restart', async () => {
  write(ana)
  const { operators, component } = followOperators(settings({ FILMGATE_OPERATORS_FILE: file }), testLog)
  expect(operators.find('ana’s')).toEqual({ name: 'ana@example.com', role: 'support', actsForOthers: false })
  expect(operators.find(ana.token_sha256)).toBeUndefined()
  const second = { name: 'console', role: 'money', token_sha256: digest('console’s'), acts_for_others: true }
  write(ana, second)
  await until('the second', () => operators.find('console’s') !== undefined)
  expect(operators.find('console’s')).toEqual({ name: 'console', role: 'money', actsForOthers: true })
  writeFileSync(file, '{"operators": [')
  await until('the slip', isFaulty)
  expect(operators.find('ana’s')?.name).toBe('ana@example.com')
  write(second)
  await until('ana is out', () => operators.find('ana’s') === undefined)
  expect([await isFaulty(), operators.find('console’s')?.name, operators.find(shared)?.role]).toEqual([false, 'console', 'money'])
  rmSync(file)
  await until('the file is missed', isFaulty)
  expect(operators.find('console’s')?.name).toBe('console')
  await component.stop()
}, 20_000)

test('a service starts with a file that has a slip: only the shared token opens, until it is mended', async () => {
  write({ ...ana, role: 'all' })
  const { operators, component } = followOperators(settings({ FILMGATE_OPERATORS_FILE: file }), testLog)
  expect([operators.find('ana’s'), operators.find(shared)?.role, await isFaulty()]).toEqual([undefined, 'money', true])
  write(ana)
  await until('mended', () => operators.find('ana’s') !== undefined)
  await component.stop()
}, 20_000)

test('each fault of a file is named by where it stands; no digest in two places, none of the shared token', async () => {
  const text = (...operators: object[]) => JSON.stringify({ operators })
  expect(() => readOperators(text({ ...ana, name: '' }))).toThrow('/operators/0/name')
  expect(() => readOperators(text({ ...ana, token: 'ana’s' }))).toThrow('/operators/0/token')
  expect(() => readOperators(text({ ...ana, token_sha256: ana.token_sha256.toUpperCase() }))).toThrow('/operators/0/token_sha256')
  expect(() => readOperators(text(ana, { ...ana, name: 'bob' }))).toThrow('twice')
  expect(() => readOperators('[]')).toThrow()
  expect(readOperators(text(ana, { ...ana, token_sha256: digest('ana’s second') }))).toHaveLength(2)
  write(ana, { ...ana, token_sha256: digest(shared) })
  const { operators, component } = followOperators(settings({ FILMGATE_OPERATORS_FILE: file }), testLog)
  await component.stop()
  expect([operators.find('ana’s'), operators.find(shared)?.name]).toEqual([undefined, undefined])
})
