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

const atOnce = 25

/**
 * Asks until the bucket is empty, which fills while others are answered. Resolves to the refusal and to the answers before it;
 * rejects where fewer than were left are answered, or three times as many and none refused.
 */
export async function untilRefused<A extends { status: number; headers: Headers }>(
  ask: () => Promise<A>,
): Promise<{ refused: A; answered: A[] }> {
  const first = await ask()
  const left = leftOf(first.headers)
  const answered = [first]
  while (answered.length < 3 * left) {
    const answers = await Promise.all(Array.from({ length: atOnce }, ask))
    answered.push(...answers.filter(({ status }) => status !== 429))
    const refused = answers.find(({ status }) => status === 429)
    if (!refused) continue
    if (answered.length <= left) throw new Error(`${left} more requests were left, and ${answered.length} in all were answered`)
    return { refused, answered }
  }
  throw new Error(`${left} requests were left, and ${answered.length} were answered`)
}

/** What the RateLimit header says is left of the minute. */
const leftOf = (headers: Headers): number => {
  const [, left] = /^"requests";r=([1-9]\d*);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? []
  if (left === undefined) throw new Error(`RateLimit is ${headers.get('ratelimit')}`)
  return Number(left)
}
