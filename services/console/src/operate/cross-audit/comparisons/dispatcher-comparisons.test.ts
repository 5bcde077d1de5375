import { expect, test } from 'bun:test'
import type { AttemptFact, TaskFact } from '@filmgate/proto/operator/facts'
import { taskIdAt } from '@filmgate/proto/task-id'
import { factServices } from '../testing/fact-services'
import { compareOutput, storedOutputs } from './stored-outputs'
import { compareAttempt } from './tasks-and-attempts'

const period = { since: new Date('2026-11-20T00:00:00Z'), until: new Date('2026-11-21T00:00:00Z') }
const [settled, moving] = ['2026-11-20T12:00:00.000Z', '2026-11-21T00:00:01.000Z']

const task = (phase: string, changed_at = settled): TaskFact => ({
  ...{ task_id: 'vt_1', account_id: 'a1', phase, billing_status: 'settled', credits_used: 40, credits_refunded: 0 },
  ...{ deleted: false, changed_at },
})
const attempt = (state: string, changed_at = settled): AttemptFact => ({ task_id: 'vt_1', account_id: 'a1', state, changed_at })

test.each([
  ...[
    ['completed', 'completed'],
    ['failed', 'failed'],
    ['refused', 'refused'],
    ['failed', 'refused'],
    ['refused', 'failed'],
  ],
  ...[
    ['admitting', 'sending'],
    ['uncertain', 'unknown'],
    ['accepted', 'overdue'],
    ['accepted', 'copying'],
    ['copying', 'copying'],
  ],
] as const)('a task that is %s and an attempt that is %s are alike', (phase, state) => {
  expect(compareAttempt({ left: task(phase), right: attempt(state) }, period)).toEqual([])
})

test.each([
  ...[
    ['completed', 'failed'],
    ['completed', 'copying'],
    ['accepted', 'completed'],
    ['uncertain', 'refused'],
    ['refused', 'accepted'],
  ],
] as const)('a task that is %s and an attempt that is %s differ, unless one of both still moves', (phase, state) => {
  expect(compareAttempt({ left: task(phase), right: attempt(state) }, period)).toEqual([
    {
      check: 'outcome_differs',
      subject: 'vt_1',
      detail: `the gateway has it ${phase}, the dispatcher's attempt is ${state}`,
      act: 'ops task replay vt_1',
    },
  ])
  expect(compareAttempt({ left: task(phase, moving), right: attempt(state) }, period)).toEqual([])
  expect(compareAttempt({ left: task(phase), right: attempt(state, moving) }, period)).toEqual([])
})

test('a task without an attempt differs, unless it was refused or still moves; an attempt without a task differs', () => {
  for (const phase of ['admitting', 'uncertain', 'accepted', 'copying', 'completed'])
    expect(compareAttempt({ left: task(phase) }, period)).toMatchObject([{ check: 'attempt_missing' }])
  for (const phase of ['refused', 'declined']) expect(compareAttempt({ left: task(phase) }, period)).toEqual([])
  expect(compareAttempt({ left: task('completed', moving) }, period)).toEqual([])
  expect(compareAttempt({ right: attempt('completed') }, period)).toMatchObject([{ check: 'attempt_unknown', act: 'ops task replay vt_1' }])
})

test('an output that the store lacks, or has with another length, differs', () => {
  const output = { task_id: 'vt_1', key: 'k.mp4', bytes: 9, stored_bytes: 9 }
  expect(compareOutput(output)).toEqual([])
  expect(compareOutput({ ...output, stored_bytes: null })).toMatchObject([
    { check: 'output_missing', subject: 'vt_1', detail: 'the dispatcher has its output k.mp4 with 9 bytes, the store has no such object' },
  ])
  // An earlier version kept no length.
  expect(compareOutput({ ...output, bytes: null })).toEqual([])
  expect(compareOutput({ ...output, bytes: null, stored_bytes: null })).toMatchObject([{ check: 'output_missing' }])
  expect(compareOutput({ ...output, stored_bytes: 8 })).toMatchObject([{ check: 'output_differs' }])
})

test('a file that its client has deleted is not missed, another one is', async () => {
  const output = { key: 'k.mp4', bytes: 9, stored_bytes: null }
  const services = factServices({
    'dispatcher/outputs': ['vt_1', 'vt_2', 'vt_3'].map(task_id => ({ ...output, task_id })),
    'gateway/tasks': [
      { task_id: 'vt_1', deleted: true },
      { task_id: 'vt_2', deleted: false },
    ],
  })
  expect((await storedOutputs(services).left({}, 500)).map(({ task_id }) => task_id)).toEqual(['vt_2', 'vt_3'])
})

test('outputs are looked up by quarters of an hour, which leave nothing out, at most 100 of each', async () => {
  const services = factServices({ 'dispatcher/outputs': [] })
  const { rangesOf, left } = storedOutputs(services)
  const ranges = rangesOf({ since: period.since, until: new Date('2026-11-20T00:40:00Z') })
  const at = (time: string) => taskIdAt(new Date(`2026-11-20T${time}Z`))
  expect(ranges).toEqual([
    { after: at('00:00:00'), through: at('00:15:00') },
    { after: at('00:15:00'), through: at('00:30:00') },
    { after: at('00:30:00'), through: at('00:40:00') },
  ])
  await left(ranges[0] ?? {}, 500)
  expect(services.asked[0]).toEndWith('limit=100')
})
