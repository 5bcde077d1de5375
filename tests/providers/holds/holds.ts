import type { Report } from '../../support/suite/report'
import { proveBadHour } from './bad-hour'
import { provePause } from './pause'
import { startPipeline } from './pipeline'

/** New orders are kept from a provider that is paused, and from one that doesn't answer for `seconds`. */
export async function proveHolds(report: Report, seconds: number): Promise<void> {
  const pipeline = await startPipeline()
  try {
    await provePause(report, pipeline)
    await proveBadHour(report, pipeline, seconds)
  } finally {
    await pipeline.stop()
  }
}
