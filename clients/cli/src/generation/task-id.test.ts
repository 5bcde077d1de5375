import { expect, test } from 'bun:test'
import { checkTaskId } from './task-id'

test('an id of a task is neither a path nor a command', () => {
  expect(checkTaskId('vt_01m8cenyw5efjb2bg3j2w9j1m5')).toBe('vt_01m8cenyw5efjb2bg3j2w9j1m5')
  for (const id of ['', '../x', 'a/b', 'x; rm -rf ~', 'x\u001b[2J', 'x'.repeat(121)]) expect(() => checkTaskId(id)).toThrow('no id')
})
