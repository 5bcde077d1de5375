import { expect, test } from 'bun:test'
import { decisionFaults } from './decisions'

const page =
  '# 0101 · One thing\n\n## Context\n\nWhy.\n\n## Decision\n\nWhat.\n\n## Consequences\n\nPrice.\n\n## Status\n\nAccepted, 2026-11-21.\n'
const row = '| [0101](0101-one.md) | One thing | Accepted | What. |'
const faults = (text: string, index: string) =>
  decisionFaults(new Map([['0101-one.md', text]]), index).map(fault => fault.slice('docs/decisions/0101-one.md: '.length))

test('a page follows the template and the index says the same of it', () => {
  expect(faults(page, row)).toEqual([])
  expect(faults(page.replace('# 0101', '# 0102'), row)).toEqual([
    'its heading is not “# NNNN · what is decided” with the number of the file',
  ])
  expect(faults(page.replace('## Context', '## Why'), row)).toEqual([
    'its sections are not Context, Decision, (Consequences), Status, in this order',
  ])
  expect(faults(page.replace('Accepted', 'Fine'), row)).toContain('its status is not Proposed, Accepted or Superseded')
  expect(faults(page, '')).toEqual(['README.md does not list it'])
  expect(faults(page, row.replace('One thing', 'Another'))).toEqual(['README.md has another title for it'])
  expect(faults(page.replace('Accepted', 'Superseded'), row)).toEqual(['README.md has another status for it'])
})
