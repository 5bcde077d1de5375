import { expect, test } from 'bun:test'
import { jsonFault, utf8Fault } from './json-fault'

const faults: [json: string, where: string, words: string][] = [
  ['{"a":1,}', '1, column 7', 'JSON has no trailing comma'],
  ['[1,\n]', '1, column 3', 'JSON has no trailing comma'],
  ['{"a":1 // one\n}', '1, column 8', 'JSON has no comments'],
  ['{\r\n/* a */"a":1}', '2, column 1', 'JSON has no comments'],
  ['{"a":NaN}', '1, column 6', 'JSON has no number NaN'],
  ['[-Infinity]', '1, column 2', 'JSON has no number -Infinity'],
  ['{"a":None}', '1, column 6', 'JSON has true, false and null, and no None'],
  ['{"a":01}', '1, column 6', '01 is not how JSON writes a number'],
  ['{"a":.5}', '1, column 6', '.5 is not how JSON writes a number'],
  ['{"a":0x1F}', '1, column 6', '0x1F is not how JSON writes a number'],
  ["{'a':1}", '1, column 2', "JSON has text in straight double quotes, and not in '"],
  ['{"a":“b”}', '1, column 6', 'JSON has text in straight double quotes, and not in “'],
  ['{a:1}', '1, column 2', 'the key a must stand in double quotes'],
  ['prompt=boat', '1, column 1', 'p stands where a value is expected'],
  ['{"🎬🎬":1 "b":2}', '1, column 9', '" stands where a comma or the closing bracket is expected'],
  ['{"a" 1}', '1, column 6', '1 stands where a colon behind the key is expected'],
  ['{\u200b"a":1}', '1, column 2', 'U+200B stands where a key in double quotes or } is expected'],
  ['{"a":1}}', '1, column 8', '} follows the end of the value'],
  ['{"a":[1}', '1, column 8', '} stands where a comma or the closing bracket is expected'],
  ['{"a":', '1, column 6', 'it ends where a value is expected'],
  ['{"a":1', '1, column 7', 'it ends where a comma or the closing bracket is expected'],
  ['{"a":"b}', '1, column 6', 'the text that begins here has no closing quote'],
  ['{"a":"b\\', '1, column 6', 'the text that begins here has no closing quote'],
  ['{"a":"b\nc"}', '1, column 8', 'within quotes, U+000A is written \\n'],
  ['{"a":"b\u001bc"}', '1, column 8', 'within quotes, U+001B is written \\u001b'],
  ['{"a":"C:\\data"}', '1, column 9', 'JSON has no escape \\ before d'],
  ['{"a":"\\u12"}', '1, column 7', 'four hexadecimal digits must follow \\u'],
]

test.each(faults)('%j is refused with its place and why', (json, where, words) => {
  expect(() => JSON.parse(json)).toThrow()
  expect(jsonFault(json)).toBe(`The body is not valid JSON: line ${where}: ${words}.`)
})
test('nothing but white space is an empty body', () => {
  for (const json of ['', ' \r\n\t']) expect(jsonFault(json)).toBe('The body is empty.')
})
test('a fault is found where the runtime finds one, and in nothing else', () => {
  const parts = ['{', '}', '[', ']', ',', ':', '"', 'a', '\\', '1', '-', '.', 'e', '0', ' ', '\n', 'true', 'null', '\\n', '\\u0041', '"k":']
  let valid = 0
  // Every text of three parts, and each of them inside an object and a list.
  for (const one of parts)
    for (const two of parts)
      for (const three of parts)
        for (const json of [one + two + three, `{"k":${one}${two}${three}}`, `[1,${one}${two}${three}]`]) {
          const found = jsonFault(json) !== 'The body is not valid JSON.'
          expect({ json, found }).toEqual({ json, found: !isJson(json) })
          if (!found) valid += 1
        }
  expect(valid).toBeGreaterThan(100)
})
test('the first byte of what is no character of UTF-8 is named', () => {
  expect(utf8Fault(Buffer.from('{"a":"caf\xe9"}', 'latin1'))).toBe('The body is not UTF-8 at byte 10, which is 0xE9.')
  expect(utf8Fault(Buffer.from('{}', 'utf16le').fill(0xff, 0, 1))).toBe('The body is not UTF-8 at byte 1, which is 0xFF.')
  expect(utf8Fault(Buffer.from([0x22, 0xe2, 0x82]))).toBe('The body is not UTF-8 at byte 2, which is 0xE2.')
})
test('a body that is nothing but faults is read in a moment', () => {
  const startedAt = performance.now()
  for (const json of [
    '['.repeat(65_536),
    `"${'a'.repeat(65_000)}`,
    `[${'1,'.repeat(32_000)}]`,
    `${' '.repeat(65_000)}x`,
    '"\\'.repeat(32_000),
  ])
    expect(jsonFault(json)).toContain('column')
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

function isJson(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}
