import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { operate } from '../support/operator/operator'
import { type Behaviour, simulator } from '../support/simulator'
import { until } from '../support/until'

type History = { events: { kind: string; details: { billingStatus?: string } }[] }

/** Every billing_status a task went through, in order; one that is told again while its task waits is no step. */
async function billingOf(behaviours: Behaviour[], last: string): Promise<string[]> {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  const { body } = await api.generate(smallRequest({ prompt }))
  const taskId = body.id ?? body.error?.details?.task_id
  return until(
    `${last} of ${taskId}`,
    async () => {
      const { events } = await operate<History>('gateway', 'GET', `/tasks/${taskId}`)
      const seen = events.flatMap(({ details }) => details?.billingStatus ?? [])
      return seen.at(-1) === last && seen.filter((status, index) => status !== seen[index - 1])
    },
    60_000,
  )
}

test.concurrent('reserved → settled', async () => {
  expect(await billingOf([{ name: 'instant' }], 'settled')).toEqual(['reserved', 'settled'])
})

test.concurrent('reserved → refund_pending → refunded', async () => {
  expect(await billingOf([{ name: 'fails_after_accept' }], 'refunded')).toEqual(['reserved', 'refund_pending', 'refunded'])
})

test.concurrent('reserved → review → settled', async () => {
  expect(await billingOf([{ name: 'accept_then_500' }, { name: 'instant' }], 'settled')).toEqual(['reserved', 'review', 'settled'])
})

test.concurrent('reserved → review → refund_pending → refunded', async () => {
  expect(await billingOf([{ name: '500_before_accept' }], 'refunded')).toEqual(['reserved', 'review', 'refund_pending', 'refunded'])
})
