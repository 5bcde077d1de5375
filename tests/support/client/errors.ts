import { expect } from 'bun:test'
import type { Answer } from './api'

/** A trace id; all zeros would be none. */
export const requestId = /^(?!0+$)[0-9a-f]{32}$/

/** The ErrorResponse of the contract and nothing beside it; returns its details. */
export function expectError(answer: Answer, status: number, code: string): Record<string, unknown> {
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code })
  expect(answer.headers.get('content-type')).toStartWith('application/json')
  expect(answer.headers.get('x-request-id')).toMatch(requestId)
  expect(Object.keys(answer.body)).toEqual(['error'])
  const { code: _, message, details, ...rest } = answer.body.error ?? { message: '' }
  expect(message).not.toBe('')
  expect(rest).toEqual({})
  return details ?? {}
}

/** Retry-After as the contract has it: an integer wait of a second or more. */
export function retryAfterSeconds(answer: Answer): number {
  const header = answer.headers.get('retry-after') ?? ''
  expect(header).toMatch(/^[1-9]\d*$/)
  return Number(header)
}
