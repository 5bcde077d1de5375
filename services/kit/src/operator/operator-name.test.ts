import { expect, test } from 'bun:test'
import { Failure } from '../failure'
import { keepHolder } from './holder'
import { operatorName, refuseOtherName } from './operator-name'
import type { Operator } from './operators'

/** A request with a token: without words of `holder` the shared one. */
function request(name?: string, holder: Partial<Operator> = {}): Request {
  const made = new Request('http://service.example', { headers: name === undefined ? {} : { 'x-filmgate-operator': name } })
  keepHolder(made, { name: undefined, role: 'money', actsForOthers: holder.name === undefined, ...holder })
  return made
}

const reasonOf = (work: () => unknown): string | undefined => {
  try {
    work()
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test('with the shared token an action is of whom the header or the body names', () => {
  expect(operatorName(request('ada'))).toBe('ada')
  expect(operatorName(request(), 'ada')).toBe('ada')
  expect(operatorName(request('ada'), 'ada')).toBe('ada')
  expect(operatorName(request(encodeURIComponent('Ada Å. 100%')))).toBe('Ada Å. 100%')
})

test('with a token of a person an action is theirs, named or not, and nobody else’s', () => {
  const ana = { name: 'Ana Å.' }
  expect(operatorName(request(undefined, ana))).toBe('Ana Å.')
  expect(operatorName(request(encodeURIComponent('Ana Å.'), ana), 'Ana Å.')).toBe('Ana Å.')
  for (const [header, by] of [['bob'], ['%E0%A4%A'], [''], [undefined, 'bob'], [encodeURIComponent('Ana Å.'), 'bob']] as const)
    expect([header, by, reasonOf(() => operatorNameBehindAuth(request(header, ana), by))]).toEqual([header, by, 'operator_mismatch'])
})

test('a token that acts for others says for whom, or does it in its own name', () => {
  const console = { name: 'console', actsForOthers: true }
  expect(operatorName(request('ana', console))).toBe('ana')
  expect(operatorName(request(undefined, console), 'ana')).toBe('ana')
  expect(operatorName(request(undefined, console))).toBe('console')
  expect(reasonOf(() => operatorName(request('ana', console), 'bob'))).toBe('invalid_request')
})

test('an action without a name, with two, or with one that no row can hold is refused, and the cause is named', () => {
  for (const [header, by] of [
    [undefined],
    [''],
    ['ada', 'bob'],
    ['%00'],
    ['%E0%A4%A'],
    [undefined, 'a\u0000'],
    [undefined, '\ud800'],
    ['a'.repeat(201)],
  ] as const)
    expect([header, by, reasonOf(() => operatorName(request(header), by))]).toEqual([header, by, 'invalid_request'])
  try {
    operatorName(request())
    expect.unreachable()
  } catch (error) {
    expect((error as Failure).options.details).toMatchObject({ issues: [{ path: 'by', rule: 'required' }] })
  }
})

/** As a route meets it: the token is checked first. */
function operatorNameBehindAuth(asked: Request, by?: string): string {
  refuseOtherName(asked)
  return operatorName(asked, by)
}
