import { expect, test } from 'bun:test'
import { proseFaults } from './prose'

const words = (count: number) => `${'word '.repeat(count - 1)}word.`

test('short sentences, short lines and short cells are in order', () => {
  expect(proseFaults('a.md', '# Title\n\nThe client pays. It gets a video.\n\n- One item.\n\n| a | b |\n|---|---|\n| c | d |\n')).toEqual(
    [],
  )
})

test('code is not prose, however long its lines are', () => {
  expect(proseFaults('a.md', `\`\`\`sh\n${'x '.repeat(200)}\n\`\`\`\n`)).toEqual([])
})

test('a high average or 90th percentile of sentence lengths is reported with the longest sentence', () => {
  const long = words(31).replaceAll(' ', '\n')
  expect(proseFaults('a.md', long)).toEqual([
    expect.stringMatching(/^a\.md: 31\.0 words a sentence, at most 18; the longest begins “word/),
    expect.stringMatching(/^a\.md: a tenth of its sentences has 31 words or more, at most 30/),
  ])
  expect(proseFaults('a.md', `${words(19)}\n`)).toHaveLength(1)
  expect(proseFaults('a.md', `${words(18)}\n`)).toEqual([])
})

test('a long line or table cell is reported with its line number', () => {
  expect(proseFaults('a.md', `One.\n\n${'w'.repeat(121)}\n`)).toEqual(['a.md:3: 121 characters, at most 120'])
  expect(proseFaults('a.md', `| a |\n|---|\n| ${'w'.repeat(301)} |\n`)).toEqual(['a.md:3: a table cell of 301 characters, at most 300'])
})
