import { expect, test } from 'bun:test'
import { newTaskId, taskIdForm } from './task-id'

test('ids are vt_ and 26 characters of base32, and sort by the time they were made', () => {
  const ids = Array.from({ length: 1_000 }, newTaskId)
  for (const id of ids) expect(id).toMatch(/^vt_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(1_000)
})
test('a path id is malformed only by length or character', () => {
  expect(taskIdForm.test('x'.repeat(120))).toBe(true)
  expect(taskIdForm.test('x'.repeat(121))).toBe(false)
  expect(taskIdForm.test('a b')).toBe(false)
  expect(taskIdForm.test('')).toBe(false)
})
