import { expect, test } from 'bun:test'
import { FilmgateError } from '@filmgate/client'
import { explain } from './explain'
import type { ExitCode } from './failure'

const taskId = 'vt_1'
const idempotencyKey = 'cli-1'

test('each kind of failure has its exit code', () => {
  const exits: [ConstructorParameters<typeof FilmgateError>[0], ExitCode][] = [
    [{ code: 'invalid_request', message: '', status: 400, idempotencyKey }, 2],
    [{ code: 'media_too_large' as 'invalid_request', message: '', status: 400, idempotencyKey }, 2],
    [{ code: 'insufficient_credits', message: '', status: 402, idempotencyKey }, 3],
    [{ code: 'budget_exceeded', message: '', status: 402 }, 3],
    [{ code: 'max_credits_exceeded', message: '', status: 400 }, 3],
    [{ code: 'invalid_api_key', message: '', status: 401 }, 4],
    [{ code: 'rate_limited', message: '', status: 429 }, 1],
    [{ code: 'task_not_found', message: '', status: 404, taskId }, 1],
    [{ code: 'connection_failed', message: '' }, 1],
    [{ code: 'connection_failed', message: '', idempotencyKey, outcomeUnknown: true }, 5],
    [{ code: 'invalid_api_key', message: '', status: 401, idempotencyKey, outcomeUnknown: true }, 5],
    [{ code: 'rate_limited', message: '', status: 429, idempotencyKey, outcomeUnknown: true }, 5],
    [{ code: 'timeout', message: '', taskId }, 5],
    [{ code: 'service_unavailable', message: '', status: 503, idempotencyKey, outcomeUnknown: true }, 5],
    [{ code: 'generation_unavailable', message: '', status: 503, idempotencyKey }, 1],
    [{ code: 'acceptance_uncertain', message: '', status: 503, taskId, idempotencyKey }, 5],
    [{ code: 'generation_failed', message: '', taskId }, 1],
  ]
  for (const [facts, exit] of exits) expect([facts.code, explain(new FilmgateError(facts)).exit]).toEqual([facts.code, exit])
})

test('every issue is a line, and what a program needs is there whole', () => {
  const details = { issues: [{ path: 'duration', rule: 'maximum', message: 'duration must be from 4 to 15, and is 99' }] }
  const error = new FilmgateError({
    code: 'invalid_request',
    message: 'It does not fit. See details.issues.',
    status: 400,
    details,
    requestId: 'r1',
  })
  expect(explain(error)).toEqual({
    exit: 2,
    message: 'It does not fit.',
    hints: ['- duration must be from 4 to 15, and is 99', 'Request id: r1'],
    error: { code: 'invalid_request', message: 'It does not fit.', status: 400, details, request_id: 'r1' },
  })
})

test('what the client says to programs is left to the command', () => {
  const message = "No answer of the API (cut). The task vt_1 goes on: wait('vt_1') resumes it."
  expect(explain(new FilmgateError({ code: 'connection_failed', message, taskId })).message).toBe('No answer of the API (cut).')
})
