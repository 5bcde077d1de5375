import { expect, test } from 'bun:test'
import { decisionFaults } from './decisions'

const page = '# 0101 · One thing\n\n## Context\n\nWhy.\n\n## Decision\n\nWhat.\n\n## Consequences\n\nPrice.\n'
const line = '- [0101](0101-one.md) One thing'
const faults = (text: string, index: string) =>
  decisionFaults(new Map([['0101-one.md', text]]), index).map(fault => fault.slice('docs/decisions/0101-one.md: '.length))

test('a page that differs from the template or the index is reported', () => {
  expect(faults(page, line)).toEqual([])
  expect(faults(page.replace('# 0101', '# 0102'), line)).toEqual([
    'its heading is not “# NNNN · the decision” with the number of the file',
    'README.md has another number or title for it',
  ])
  expect(faults(page.replace('## Context', '## Why'), line)).toEqual([
    'its sections are not Context, Decision, Consequences, in this order',
  ])
  expect(faults(page, '')).toEqual(['README.md does not list it'])
  expect(faults(page, line.replace('One thing', 'Another'))).toEqual(['README.md has another number or title for it'])
})

test('more than 40 pages are reported', () => {
  const numbers = Array.from({ length: 41 }, (_, index) => String(1000 + index))
  const pages = numbers.map(number => [`${number}-one.md`, page.replace('0101', number)] as const)
  const index = numbers.map(number => `- [${number}](${number}-one.md) One thing`).join('\n')
  expect(decisionFaults(new Map(pages.slice(0, 40)), index)).toEqual([])
  expect(decisionFaults(new Map(pages), index)).toEqual([
    'docs/decisions: 41 pages, at most 40: merge related pages, or move a reason to a comment or a README',
  ])
})
