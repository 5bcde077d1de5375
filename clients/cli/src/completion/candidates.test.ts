import { expect, test } from 'bun:test'
import { createProgram } from '../program'
import { findCandidates } from './candidates'

const program = createProgram(() => {
  throw new Error('no command runs here')
})
const complete = (...words: string[]) => {
  const { candidates, files } = findCandidates(program, words, ['alpha-h3', 'alpha-h3-fast', 'beta-2.0'])
  return files ? 'files' : candidates.map(({ value }) => value)
}

test('commands, their commands and their options', () => {
  expect(complete('gen')).toEqual(['generate'])
  expect(complete('webhooks', 'r')).toEqual(['rotate', 'resume', 'replay'])
  expect(complete('tasks', 'wait', '--out')).toEqual(['--output'])
  expect(complete('tasks', 'wait', '--js')).toEqual(['--json'])
  expect(complete('')).not.toContain('__complete')
})

test('models where one is wanted, also behind an equals sign as bash splits it', () => {
  expect(complete('generate', 'A boat', '-m', 'al')).toEqual(['alpha-h3', 'alpha-h3-fast'])
  expect(complete('generate', '--model', '=', 'be')).toEqual(['beta-2.0'])
  expect(complete('generate', '--model', '=')).toEqual(['alpha-h3', 'alpha-h3-fast', 'beta-2.0'])
  expect(complete('generate', '--model=alpha-h3-')).toEqual(['alpha-h3-fast'])
  expect(complete('models', 'b')).toEqual(['beta-2.0'])
})

test('paths where a file is wanted, choices where there are some, nothing behind a free value', () => {
  expect(complete('generate', '--image', '')).toBe('files')
  expect(complete('generate', '-o', 'b')).toBe('files')
  expect(complete('tasks', 'list', '--status', 'p')).toEqual(['processing'])
  expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(complete('generate', '--seed', '')).toEqual([])
  expect(complete('generate', '--seed', '5', '--wat')).toEqual(['--watermark'])
})
