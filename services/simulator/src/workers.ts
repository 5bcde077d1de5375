import { every, type Repeating } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type SweepDeps, sweep } from './output/sweep'

/** How often finished generations past their retention are looked for. */
const sweepEveryMs = 600_000

/** Deletes at the start, and every ten minutes, what is past its retention. */
export const startWorkers = (deps: SweepDeps & { log: Log }): Repeating =>
  every(sweepEveryMs, async () => sweep(deps), { log: deps.log, name: 'sweep outputs' })
