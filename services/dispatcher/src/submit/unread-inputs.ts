import { pause, withDeadline } from '@filmgate/kit/deadline'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { ReadyOrder } from '../attempt/order'
import { admitByMs } from '../attempt/plan-attempts'

export type InputsDeps = { inputs: Pick<ObjectStore, 'head'>; now: () => Date }

/** Providers that could not read our copies of inputs: a store that is gone, or that they can't reach. */
export const inputsUnread = counter(
  'provider_inputs_unread',
  'Generations that a provider gave up because it could not read our copies of the inputs',
  {
    provider: late,
  },
)

const lookTimeoutMs = 2_000
const lookEveryMs = 1_000
/** Left of the admission in which the client, who still waits, gets its answer. */
const tellMs = 5_000

/** Whether our store shows the copies, lacks one (each was there when its order came) or gives no answer. */
export async function lookAtInputs(inputs: InputsDeps['inputs'], media: ReadyOrder['media']): Promise<'readable' | 'silent' | 'gone'> {
  try {
    const found = await withDeadline(Promise.all(media.map(({ objectKey }) => inputs.head(objectKey))), lookTimeoutMs, 'the store')
    return found.every(one => one !== undefined) ? 'readable' : 'gone'
  } catch {
    return 'silent'
  }
}

/** From the `number`-th attempt's acceptance or refusal to the next one: where we can read what the provider can't, the pause keeps it from being asked too often. */
export const nextAttemptAfterMs = (number: number): number => Math.min(15_000, 1_000 * 2 ** Math.min(number, 4))

/** Waits until another attempt at the order makes sense; false where its admission ends first, or there is nothing left to be read. */
export async function untilInputsRead(
  { inputs, now }: InputsDeps,
  { order, media }: ReadyOrder,
  number: number,
  signal: AbortSignal,
): Promise<boolean> {
  await pause(Math.min(nextAttemptAfterMs(number), leftMs(order, now)), signal)
  while (!signal.aborted && leftMs(order, now) > 0) {
    const seen = await lookAtInputs(inputs, media)
    if (seen !== 'silent') return seen === 'readable'
    await pause(Math.min(lookEveryMs, Math.max(0, leftMs(order, now))), signal)
  }
  return false
}

const leftMs = (order: ReadyOrder['order'], now: () => Date): number => admitByMs(order) - tellMs - now().getTime()
