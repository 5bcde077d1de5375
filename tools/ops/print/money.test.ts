import { expect, test } from 'bun:test'
import { microUsdOf, usdText } from './money'

test('dollars are read in digits alone, to the millionth', () => {
  for (const [text, microUsd] of [
    ['0.01', 10_000],
    ['-1.5', -1_500_000],
    ['12', 12_000_000],
    ['0.30080000000000001', 300_800],
  ] as const)
    expect(microUsdOf(text)).toBe(microUsd)
  for (const text of ['', '$1', '1,50', '1e3', '.5', '1.', ' 1', 'NaN', '+1']) expect([text, microUsdOf(text)]).toEqual([text, undefined])
})

test('dollars are shown to the cent at least, and nothing of them is lost', () => {
  for (const [microUsd, text] of [
    [0, '0.00'],
    [1, '0.000001'],
    [-1_500_000, '-1.50'],
    [300_800, '0.3008'],
    [12_000_000, '12.00'],
    [999_999, '0.999999'],
  ] as const)
    expect(usdText(microUsd)).toBe(text)
})
