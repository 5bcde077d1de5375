import { expect, test } from 'bun:test'
import { Failure } from '../failure'
import { operatorName } from './operator-name'

const headers = (name?: string) => new Headers(name === undefined ? {} : { 'x-filmgate-operator': name })

test('an act is its operator’s, who is named in the header or in the body', () => {
  expect(operatorName(headers('ada'))).toBe('ada')
  expect(operatorName(headers(), 'ada')).toBe('ada')
  expect(operatorName(headers('ada'), 'ada')).toBe('ada')
  expect(operatorName(headers(encodeURIComponent('Ada Å. 100%')))).toBe('Ada Å. 100%')
})

test('an act without a name, with two, or with one that no row can hold is refused, and the cause is named', () => {
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
    expect(() => operatorName(headers(header), by)).toThrow(Failure)
  try {
    operatorName(headers())
    expect.unreachable()
  } catch (error) {
    expect((error as Failure).options.details).toMatchObject({ issues: [{ path: 'by', rule: 'required' }] })
  }
})
