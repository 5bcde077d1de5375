import { expect, test } from 'bun:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { traceIdOf } from '../providers/pixverse/request-body'
import { attemptIdOf as attemptIdOfTask, taskUuidOf } from '../providers/runware/task-uuid'
import { attemptIdAt, attemptIdOf } from './attempt-id'

const secret = 'a-secret-of-the-attempts-of-tests'
const atMs = Date.UTC(2026, 10, 25)
const order = { taskId: 'vt_one', createdAt: timestampFromMs(atMs) }
const idOf = (own: Partial<typeof order> = {}, number = 1, key = secret) => attemptIdOf(key, { ...order, ...own }, number)

test('an attempt has the same id each time it is planned, and another task, number or secret gives another id', () => {
  expect(idOf()).toBe(idOf())
  const others = [idOf({ taskId: 'vt_two' }), idOf({}, 2), idOf({}, 1, `${secret}!`)]
  const unguessable = [idOf(), ...others].map(id => id.slice(-16))
  expect(new Set(unguessable).size).toBe(4)
})

test('an id has the forms that providers want, and gives itself back from Runware’s', () => {
  for (let task = 0; task < 1_000; task++) {
    const id = idOf({ taskId: `vt_${task}` })
    expect(id).toMatch(/^at_[0-9a-f]{12}7001[89ab][0-9a-f]{15}$/)
    expect(traceIdOf(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(attemptIdOfTask(taskUuidOf(id))).toBe(id)
  }
})

test('ids sort by the age of their orders, then by their numbers', () => {
  const later = { createdAt: timestampFromMs(atMs + 1) }
  const sorted = [attemptIdAt(atMs), idOf(), idOf({}, 2), idOf({}, 16), idOf({}, 4_095), attemptIdAt(atMs + 1), idOf(later)]
  expect(sorted.toSorted()).toEqual(sorted)
})
