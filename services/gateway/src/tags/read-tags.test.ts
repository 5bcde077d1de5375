import { expect, test } from 'bun:test'
import type { Failure } from '@filmgate/kit/failure'
import { checkTags, readTags, type Tags, writeTags } from './read-tags'

type Refusal = { code: string; issues: [path: string, rule: string][] }

function refusalOf(read: () => Tags | null): Refusal | Tags | null {
  try {
    return read()
  } catch (error) {
    const { reason, options } = error as Failure
    const { issues } = options.details as { issues: { path: string; rule: string }[] }
    return { code: reason, issues: issues.map(({ path, rule }) => [path, rule]) }
  }
}

test('names and values are read; white space around a tag and empty members count for nothing', () => {
  expect(readTags('project=spring, shot=12 ,,')).toEqual({ project: 'spring', shot: '12' })
  expect([null, '', ' , '].map(readTags)).toEqual([null, null, null])
  expect(readTags('note=a=b c,constructor=x,emoji=%F0%9F%8E%AC%2C%25')).toEqual({ note: 'a=b c', constructor: 'x', emoji: '🎬,%' })
})

test('eight tags of the longest name and value are taken, and what is written is read again', () => {
  const tags = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${'abcdefgh'[n]}${'x'.repeat(31)}`, '🎬'.repeat(64)]))
  expect(checkTags(tags, 'metadata')).toEqual(tags)
  expect(readTags(writeTags(tags))).toEqual(tags)
  const hard = { a: '=1+1,"b";c', b: 'é%25 x', c: "'" }
  expect(readTags(writeTags(hard))).toEqual(hard)
})

test('more than eight are refused before any is looked at', () => {
  const many = Array.from({ length: 9 }, (_, n) => `t${n}=x`).join(',')
  expect(refusalOf(() => readTags(many))).toEqual({ code: 'invalid_request', issues: [['Filmgate-Tags', 'tags_max']] })
})

test.each([
  ['project', 'tag_value'],
  ['project=', 'tag_value'],
  ['=spring', 'tag_name'],
  ['Project=spring', 'tag_name'],
  ['1a=x', 'tag_name'],
  ['__proto__=x', 'tag_name'],
  ['pro ject=x', 'tag_name'],
  [`${'a'.repeat(33)}=x`, 'tag_name'],
  [`a=${'x'.repeat(65)}`, 'tag_value'],
  ['a=%E9', 'tag_value'],
  ['a=%', 'tag_value'],
  ['a=%00', 'tag_value'],
  ['a=x%0Ay', 'tag_value'],
  ['a=%1B[31m', 'tag_value'],
  ['a=%20x', 'tag_value'],
  ['a=%E2%80%8B', 'tag_value'],
  ['a=x%E2%80%AEy', 'tag_value'],
  ['a=\u00e9', 'tag_value'],
  ['a=x\ty', 'tag_value'],
  ['a=1,a=2', 'tag_twice'],
])('%p is refused: %s', (header, rule) => {
  expect(refusalOf(() => readTags(header))).toEqual({ code: 'invalid_request', issues: [['Filmgate-Tags', rule]] })
})

test('every fault is named, at the path that was asked for', () => {
  const tags = { A: 'x', a: 5, b: '\ud800', c: null, d: 'ok' }
  const [name, value] = [
    ['metadata', 'tag_name'],
    ['metadata', 'tag_value'],
  ]
  expect(refusalOf(() => checkTags(tags, 'metadata'))).toEqual({ code: 'invalid_request', issues: [name, value, value, value] } as Refusal)
})
