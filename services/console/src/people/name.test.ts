import { expect, test } from 'bun:test'
import { isValidName, sanitizeName } from './name'

test('a name is one line without a link', () => {
  const names = ['Ada', 'Boat & Sons', 'Łódź 映画', 'نور', 'WWW', 'a://'.slice(0, 2), 'x'.repeat(100)]
  expect(names.filter(name => !isValidName(name))).toEqual([])
  const others = [
    '',
    'x'.repeat(101),
    'two\nlines',
    'a\u0007bell',
    'two\u2028lines',
    'a\u202ename',
    'see https://evil.example',
    'WWW.evil.example',
  ]
  expect(others.filter(isValidName)).toEqual([])
})

test('what another provider says is made a name', () => {
  expect(['Ada\r\nLovelace', 'Go to HTTPS://evil.example', 'www.www.evil', '\n', 'y'.repeat(200)].map(sanitizeName)).toEqual([
    'Ada Lovelace',
    'Go to HTTPS evil.example',
    'evil',
    '',
    'y'.repeat(100),
  ])
})
