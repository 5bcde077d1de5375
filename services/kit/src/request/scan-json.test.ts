import { expect, test } from 'bun:test'
import { scanJson } from './scan-json'

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
  for (const [json, path] of found) expect({ json, faults: scanJson(json) }).toEqual({ json, faults: [{ rule: 'unique_key', path }] })
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
    expect({ json, faults: scanJson(json) }).toEqual({ json, faults: [] })
})
test('what is nested as deep and has as many keys as a body can is read in a moment', () => {
  const deep = `${'['.repeat(32_000)}${']'.repeat(32_000)}`
  const wide = `{${Array.from({ length: 8_000 }, (_, index) => `"${index}":0`).join(',')}}`
  expect([deep, wide, `"${'\\"'.repeat(32_000)}"`].map(scanJson)).toEqual([[], [], []])
})
test('a NUL and half of a surrogate pair are found in every string and key, and a whole pair is none', () => {
  const json = '{"a":"\\u0000","b":[1,"x\\ud83c"],"c":{"\\udf00":{"d":"\\ud83c\\udf00 \\u0001"}},"e":"\\\\u0000","f":["\\uDF00\\uD83C"]}'
  const paths = ['a', 'b[1]', 'c.\udf00', 'f[0]']
  expect(scanJson(json)).toEqual(paths.map(path => ({ rule: 'well_formed', path })))
  expect(scanJson('"\\u0000"')).toEqual([{ rule: 'well_formed', path: '' }])
})
test('of a body that is nothing but faults a hundred are named', () => {
  expect(scanJson(`[${Array.from({ length: 5_000 }, () => '"\\u0000"').join(',')}]`)).toHaveLength(100)
})
