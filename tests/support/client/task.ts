import { expect } from 'bun:test'
import type { Body } from './api'

const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** A whole VideoTask, no field more; what isn't given is as a task of the small request has it while it runs. */
export const taskLike = (expected: Partial<Body>) => ({
  id: expect.stringMatching(/^vt_[0-9a-z]{26}$/),
  status: 'processing',
  model: 'alpha-h3-fast',
  mode: 'text-to-video',
  credits_used: expect.any(Number),
  credits_refunded: 0,
  output: null,
  error: null,
  created_at: anyDate,
  updated_at: anyDate,
  billing_status: 'reserved',
  ...expected,
})
