import { expect, test } from 'bun:test'
import { testLog } from '@filmgate/kit/testing'
import type { Due } from '../attempt/attempt'
import type { Capabilities } from '../providers/connector'
import { type AskDeps, heal } from './ask'

/** Looks up an attempt at a provider that finds nothing, and says whether its health was checked: whether that may count. */
async function mayCount(lookUp: Capabilities['lookUp']): Promise<boolean> {
  let checked = false
  const check = async () => {
    checked = true
    return undefined
  }
  const attempt = { id: 'at_1', state: 'unknown', absenceLastMsAgo: null }
  const connector = { capabilities: { lookUp, visibilityMs: 1_000 }, lookUp: async () => undefined }
  const due = { attempt, job: {}, connector } as unknown as Due
  const deps = { now: () => new Date(), health: { check }, absenceSightingsMin: 3, log: testLog } as unknown as AskDeps
  expect(await heal(deps, due, new AbortController().signal)).toBeUndefined()
  return checked
}

test('that a look-up finds nothing is judged only where the provider would have to find it', async () => {
  expect(await mayCount('own-id')).toBe(true)
  expect(await mayCount('own-id-if-found')).toBe(false)
})
