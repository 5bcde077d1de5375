import { expect } from 'bun:test'
import type { TestSystem } from './test-system'

export type LostAnswer = {
  order: Parameters<TestSystem['reserve']>[0]
  /** The simulator's fault that loses the answer of an accepted submit. */
  lostBy?: string
  /** An id in the provider's form that is no generation of this order. */
  wrongId: string
  reason: string
  /** The provider's id of a generation of the simulator. */
  idOf?: (generationId: string) => string
}

/** A lost answer is sent to nobody again, waits for an operator, and goes on under the id that the operator names. */
export async function expectOperatorHeals(system: TestSystem, lost: LostAnswer): Promise<void> {
  const { order, lostBy = 'accept_then_drop', wrongId, reason, idOf = id => id } = lost
  const prompt = `words ${crypto.randomUUID()}`
  await system.behave(prompt, { name: lostBy }, { name: 'instant' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  const [submit, ...more] = await system.submitsOf(prompt)
  expect(more).toEqual([])
  const accept = (id: string) => system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: id, reason })
  expect((await accept(wrongId)).status).toBe(409)
  expect((await accept(idOf(submit?.generation_id ?? ''))).ok).toBe(true)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId).filter(one => one === 'generationRefused' || one === 'generationFailed')).toEqual([])
  expect((await system.submitsOf(prompt)).length).toBe(1)
}
