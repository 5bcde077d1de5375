import type { Billed, PollAnswer } from '../connector'

/** More than any generation costs, so that what is no price of one is not kept. */
const usdMax = 100_000
const unitsMax = 1_000_000

/** US dollars, as a number or as its text; undefined for anything that is no amount: a negative one would pay us. */
export function billedUsd(told: unknown): Billed | undefined {
  const microUsd = millionths(told, usdMax)
  return microUsd === undefined ? undefined : { microUsd }
}

/** Units of the provider's own; a route's `unit_micro_usd` says what one costs. */
export function billedUnits(told: unknown): Billed | undefined {
  const microUnits = millionths(told, unitsMax)
  return microUnits === undefined ? undefined : { microUnits }
}

const decimal = /^\d{1,15}(\.\d{1,30})?$/

/** To the nearest millionth, as nothing finer is kept. */
function millionths(told: unknown, max: number): number | undefined {
  const amount = typeof told === 'string' && decimal.test(told) ? Number(told) : told
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= max)) return undefined
  return Math.round(amount * 1_000_000)
}

/** The answer with what it was told to cost, where it is an end: what still runs may come to cost more. */
export function withBilled(answer: PollAnswer, billed: Billed | undefined): PollAnswer {
  if (!billed || answer.status === 'running' || answer.status === 'missing') return answer
  return { ...answer, billed }
}
