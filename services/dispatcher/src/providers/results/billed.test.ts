import { expect, test } from 'bun:test'
import { billedUnits, billedUsd, withBilled } from './billed'

test('an amount is kept in whole millionths, to the nearest, as a number and as its text', () => {
  for (const [told, microUsd] of [
    [0.18, 180_000],
    [0.29, 290_000],
    ['0.49', 490_000],
    [0, 0],
    ['0', 0],
    [1e-7, 0],
    [0.0000005, 1],
    [0.1 + 0.2, 300_000],
    [100_000, 100_000_000_000],
  ] as const)
    expect(billedUsd(told)).toEqual({ microUsd })
  expect(billedUnits('3.029333')).toEqual({ microUnits: 3_029_333 })
})

test('what is no amount of a generation is as good as not told, never 0 and never ours to keep', () => {
  for (const told of [
    undefined,
    null,
    '',
    ' ',
    '-1',
    -1,
    -0.18,
    'NaN',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'free',
    '1e3',
    '0x10',
    '1,5',
    '$1',
    true,
    {},
    [1],
  ])
    expect([told, billedUsd(told), billedUnits(told)]).toEqual([told, undefined, undefined])
  expect([billedUsd(100_000.01), billedUnits(1_000_001)]).toEqual([undefined, undefined])
})

test('only an end has a cost', () => {
  const billed = { microUsd: 1 }
  expect(withBilled({ status: 'running' }, billed)).toEqual({ status: 'running' })
  expect(withBilled({ status: 'missing' }, billed)).toEqual({ status: 'missing' })
  expect(withBilled({ status: 'inputs-unread', cause: 'c' }, billed)).toEqual({ status: 'inputs-unread', cause: 'c', billed })
  expect(withBilled({ status: 'succeeded', outputUrl: 'u' }, undefined)).toEqual({ status: 'succeeded', outputUrl: 'u' })
})
