import { every, type Repeating } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { GenerationStore } from './generation/generation-store'
import { sweep } from './output/sweep'

/** How often finished generations past their retention are looked for. */
const sweepEveryMs = 600_000

/** Deletes at the start, and every ten minutes, what is past its retention. */
export const startWorkers = ({ store, outputDir, log }: { store: GenerationStore; outputDir: string; log: Log }): Repeating =>
  every(sweepEveryMs, async () => sweep({ store, outputDir, log }), { log, name: 'sweep outputs' })
