import { expect, test } from 'bun:test'
import { dayChart, niceMax } from './chart'

test('a chart ends at a round number that nothing is above', () => {
  const values = [0, 1, 1.5, 2, 3, 9, 10, 11, 499, 500, 501, 123_456]
  expect(values.map(niceMax)).toEqual([1, 1, 2, 2, 5, 10, 10, 20, 500, 500, 1_000, 200_000])
})

test('each day has its bar and its row, and no style of its own', () => {
  const { text } = dayChart('Spending', [
    { day: '2026-11-22', value: 50 },
    { day: '2026-11-23', value: -5 },
  ])
  expect(text.match(/<rect[^>]*height="[\d.]+"/g)).toEqual([
    '<rect class="bar" x="36" y="0" width="228" height="120"',
    '<rect class="bar" x="336" y="120" width="228" height="0"',
  ])
  expect(text).toContain('Spending: 45 credits in 2 days')
  expect(text.match(/role="rowheader"/g)).toHaveLength(2)
  expect(text).not.toContain('style')
})
