import { expect, test } from 'bun:test'
import { APICallError } from '@ai-sdk/provider'
import { FilmgateError, type FilmgateErrorCode } from '@filmgate/client'
import { callError } from './call-error.ts'

test('what timed out with its task known is not waited for again', () => {
  const isRetryable = (code: FilmgateErrorCode, taskId?: string) => {
    const error = callError(new FilmgateError({ code, message: code, taskId }), { ...about, signal: undefined })
    return APICallError.isInstance(error) && error.isRetryable
  }
  const about = { url: 'https://api.example.com/api/v1', request: {}, last: undefined }
  expect([isRetryable('timeout', 'vt_1'), isRetryable('timeout'), isRetryable('connection_failed', 'vt_1')]).toEqual([false, true, true])
})
