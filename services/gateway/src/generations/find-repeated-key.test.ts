import { expect, test } from 'bun:test'
import { findRepeatedKey } from './find-repeated-key'

test('a key that stands twice in one object is found at any depth, and named by its path', () => {
  const found: [json: string, path: string][] = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a" : 1, "b":2,\n"a"\t:3}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"x":{"y":[0,{"b":1},{"b":1,"b":2}]}}', 'x.y[2].b'],
    ['[[],[{"":0,"":0}]]', '[1][0].'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
  ]
  for (const [json, path] of found) expect({ json, path: findRepeatedKey(json) }).toEqual({ json, path })
})
test('the same key in several objects, and text that looks like one, are no repetition', () => {
  for (const json of [
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"b","b":"a","c":["a","a"]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\"}',
    '"a"',
    '1',
    '[]',
  ])
    expect({ json, path: findRepeatedKey(json) }).toEqual({ json, path: undefined })
})
test('what is nested as deep and has as many keys as a body can is read in a moment', () => {
  const deep = `${'['.repeat(32_000)}${']'.repeat(32_000)}`
  const wide = `{${Array.from({ length: 8_000 }, (_, index) => `"${index}":0`).join(',')}}`
  expect([findRepeatedKey(deep), findRepeatedKey(wide), findRepeatedKey(`"${'\\"'.repeat(32_000)}"`)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
