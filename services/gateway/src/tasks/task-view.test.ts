import { expect, test } from 'bun:test'
import type { Task } from './task'
import { taskView } from './task-view'

const task: Task = {
  id: 'vt_1',
  accountId: 'a',
  keyId: 'k',
  surface: 'api',
  fingerprint: Buffer.alloc(32),
  model: 'alpha-h3',
  mode: 'text-to-video',
  phase: 'accepted',
  billingStatus: 'reserved',
  creditsUsed: 40,
  creditsRefunded: 0,
  videoUrl: null,
  errorCode: null,
  errorMessage: null,
  errorDetails: null,
  cancelRefusal: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  admitBy: new Date(250_000),
  tags: null,
}
const shown: ReturnType<typeof taskView> = {
  id: 'vt_1',
  status: 'processing',
  model: 'alpha-h3',
  mode: 'text-to-video',
  credits_used: 40,
  credits_refunded: 0,
  output: null,
  error: null,
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: '1970-01-01T00:00:00.000Z',
  billing_status: 'reserved',
}

test('a running task is shown as the contract says, field for field', () => {
  expect(taskView(task)).toEqual(shown)
})
test('a video is shown once it is paid for, not before', () => {
  const done = { ...task, phase: 'completed' as const, videoUrl: 'https://v' }
  expect(taskView(done)).toEqual(shown)
  expect(taskView({ ...done, billingStatus: 'settled' })).toEqual({
    ...shown,
    status: 'completed',
    billing_status: 'settled',
    output: { video_url: 'https://v' },
  })
})
test('a failure is shown once its refund is under way, not before', () => {
  const failed = { ...task, phase: 'failed' as const, errorCode: 'generation_failed', errorMessage: 'It failed.' }
  expect(taskView(failed)).toEqual(shown)
  expect(taskView({ ...failed, billingStatus: 'refund_pending' })).toEqual({
    ...shown,
    status: 'failed',
    billing_status: 'refund_pending',
    error: { code: 'generation_failed', message: 'It failed.' },
  })
})

test('credits are not shown as ended beside a task that still runs, whichever topic was faster', () => {
  expect(taskView({ ...task, billingStatus: 'settled' })).toEqual(shown)
  expect(taskView({ ...task, billingStatus: 'refunded', creditsRefunded: 40 })).toEqual(shown)
  expect(taskView({ ...task, phase: 'uncertain', billingStatus: 'refund_pending' })).toEqual({ ...shown, billing_status: 'review' })
})
