import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { type Part, readCall } from './arguments'
import { proveArkClient } from './ark/client'
import { proveSpeed } from './copy/speed'
import { proveWrongFiles } from './copy/wrong-files'
import { proveCosts } from './costs'
import { proveDashScopeClient } from './dashscope/client'
import { proveCallbacks } from './fal/callbacks'
import { proveClient } from './fal/client'
import { proveOffers } from './fal/offers'
import { proveGoogleClient } from './google/client'
import { proveHolds } from './holds/holds'
import { proveMatrix } from './matrix/matrix'
import { proveMiniMaxClient } from './minimax/client'
import { proveAnswers } from './money/answers'
import { proveFrozen } from './money/frozen'
import { proveGone } from './money/gone'
import { proveUncertain } from './money/uncertain'
import { proveOpenAiVideosClient } from './openai-videos/client'
import { provePipeline } from './pipeline'
import { provePixverseClient } from './pixverse/client'
import { proveReplicateClient } from './replicate/client'
import { proveRoutes } from './routes'
import { proveRunwareClient } from './runware/client'
import { proveScale } from './scale/scale'
import { proveViduClient } from './vidu/client'
import { proveXaiClient } from './xai/client'

/** `bun run test:providers [part …]`: the formats of providers, with the simulator in their places and their own published clients as witnesses. */
const { names, goneSeconds, holdSeconds, submits } = readCall(process.argv.slice(2))
const parts: Record<Part, (report: Report) => Promise<void>> = {
  async client(report) {
    await proveClient(report)
    await proveRunwareClient(report)
    await proveArkClient(report)
    await proveMiniMaxClient(report)
    await proveGoogleClient(report)
    await proveDashScopeClient(report)
    await proveViduClient(report)
    await provePixverseClient(report)
    await proveXaiClient(report)
    await proveReplicateClient(report)
    await proveOpenAiVideosClient(report)
  },
  routes: proveRoutes,
  pipeline: provePipeline,
  offers: proveOffers,
  callbacks: proveCallbacks,
  async copy(report) {
    await proveSpeed(report)
    await proveWrongFiles(report)
  },
  matrix: proveMatrix,
  costs: proveCosts,
  frozen: proveFrozen,
  uncertain: report => proveUncertain(report, submits),
  answers: proveAnswers,
  holds: report => proveHolds(report, holdSeconds),
  gone: report => proveGone(report, goneSeconds),
  scale: proveScale,
}

const report = createReport('providers')
await runParts(report, names, name => parts[name](report))
process.exit(report.finish())
