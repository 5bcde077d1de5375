import { expect, test } from 'bun:test'
import { filesOf, planTests } from './plan'

test('test files are classified by what they need, and each is planned once', () => {
  expect(
    planTests([
      ...['./tools/test/plan.test.ts', 'tests/standalone/python-client.test.ts', 'tests/faults/twins.test.ts'],
      ...['tests/e2e/generation.test.ts', 'tests/faults/twins.test.ts'],
    ]),
  ).toEqual({
    packages: ['tools/test/plan.test.ts', 'tests/standalone/python-client.test.ts'],
    wire: ['tests/e2e/generation.test.ts'],
    faults: ['tests/faults/twins.test.ts'],
  })
  const all = planTests([])
  expect(all.faults[0]).toBe('tests/faults/lost-events.test.ts')
  expect(all.faults).toContain('tests/faults/console/unavailable.test.ts')
  expect(new Set(filesOf(all)).size).toBe(filesOf(all).length)
})

test('a missing path is reported by name', () => {
  expect(() => planTests(['tests/nowhere'])).toThrow('There is no tests/nowhere.')
})
