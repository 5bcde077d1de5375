import { expect, test } from 'bun:test'
import { isVisible, visiblePattern } from './visible-text'

/** Unicode's own properties, of which no pattern for other engines can make use. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u

test('what leaves no mark is what Unicode says so of, with the empty braille pattern, in engines with the flag u and without', () => {
  const differing: string[] = []
  const unicode = new RegExp(visiblePattern, 'u')
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = String.fromCharCode(code)
    if (isVisible(text) === invisible.test(text) || isVisible(text) !== unicode.test(text)) differing.push(code.toString(16))
  }
  expect(differing).toEqual([])
})

test('one visible character is enough, and generated clients can write the pattern within a line', () => {
  for (const text of ['\u200bx', '❤\ufe0f', '\u05d0\u200f', '🎬', '\u{e0061}']) expect([text, isVisible(text)]).toEqual([text, true])
  expect(visiblePattern).not.toMatch(/[\n\r\u2028\u2029]/)
})
