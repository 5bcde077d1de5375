import { afterAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOperators } from '@filmgate/kit/operator/operators'
import { operatorCreate } from './create'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-ops-'))
afterAll(() => rmSync(dir, { recursive: true }))
const digest = (token: string) => createHash('sha256').update(token).digest('hex')

test('a token is shown once, and what stands in the file is its digest, in the form that services read', () => {
  const { token, line } = operatorCreate({ name: 'ana@example.com', role: 'support' })
  expect(token).toMatch(/^fg_op_[A-Za-z0-9_-]{43}$/)
  expect(JSON.parse(line ?? '')).toEqual({ name: 'ana@example.com', role: 'support', token_sha256: digest(token) })
  expect(readOperators(`{"operators":[${line}]}`)).toMatchObject([{ operator: { name: 'ana@example.com', role: 'support' } }])
})

test('a file that is named gets the digest beside what stands there, for its owner alone, and never the token', () => {
  const file = join(dir, 'operators.json')
  const first = operatorCreate({ name: 'ana', role: 'read', file })
  const second = operatorCreate({ name: 'console', role: 'money', actsForOthers: true, file })
  const text = readFileSync(file, 'utf8')
  expect(readOperators(text).map(({ operator }) => operator)).toEqual([
    { name: 'ana', role: 'read', actsForOthers: false },
    { name: 'console', role: 'money', actsForOthers: true },
  ])
  for (const { token } of [first, second]) expect([text.includes(token), text.includes(digest(token))]).toEqual([false, true])
  expect([statSync(file).mode & 0o777, existsSync(`${file}.new`)]).toEqual([0o600, false])
})

test('a file of another form is left as it is', () => {
  const file = join(dir, 'other.json')
  for (const text of ['no JSON', '[]', '{"operators":{}}']) {
    writeFileSync(file, text)
    expect(() => operatorCreate({ name: 'ana', role: 'read', file })).toThrow('is no file of operators')
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})
