import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'
import { proveCosts } from './costs'
import { proveCallbacks } from './fal/callbacks'
import { proveClient } from './fal/client'
import { proveOffers } from './fal/offers'
import { provePipeline } from './pipeline'
import { proveRoutes } from './routes'
import { proveRunwareClient } from './runware/client'

/** `bun run test:makers [part …]`: the formats of makers, with the simulator in their places and their own published clients as witnesses. */
const parts: Record<ReturnType<typeof readCall>[number], (report: Report) => Promise<void>> = {
  async client(report) {
    await proveClient(report)
    await proveRunwareClient(report)
  },
  routes: proveRoutes,
  pipeline: provePipeline,
  offers: proveOffers,
  callbacks: proveCallbacks,
  costs: proveCosts,
}

const report = createReport('makers')
await runParts(report, readCall(process.argv.slice(2)), name => parts[name](report))
process.exit(report.finish())
