import { randomUUID } from 'node:crypto'
import { runParts } from '../support/suite/parts'
import { createReport, type Report } from '../support/suite/report'
import { readCall } from './arguments'
import { proveCorpus } from './corpus/suite'
import { proveAnswers } from './crash/answers'
import { proveCrashes } from './crash/suite'
import { proveCards } from './edges/card-limits'
import { proveEdges } from './edges/suite'
import { ensureTools } from './ensure-tools'
import { proveMedia } from './hostile/suite'
import { proveMetadata } from './metadata/suite'
import { proveMutations } from './mutations/suite'
import { proveReadings } from './readings/suite'
import { proveSpeed } from './speed'
import { proveTrims } from './trims/suite'
import { proveUrls } from './urls/suite'

/**
 * `bun run test:media [part …]`: hostile URLs, answers and media, cards, edges, mutations, crashes and speed, over the wire against a media-probe of the
 * suite's own. MEDIA_MUTATIONS=N changes how many mutated files there are.
 */
const parts: Record<ReturnType<typeof readCall>[number], (report: Report, prefix: string) => Promise<void>> = {
  urls: proveUrls,
  hostile: proveMedia,
  cards: proveCards,
  edges: proveEdges,
  mutations: proveMutations,
  answers: proveAnswers,
  crash: proveCrashes,
  speed: proveSpeed,
  corpus: proveCorpus,
  metadata: proveMetadata,
  readings: proveReadings,
  trims: proveTrims,
}

const wanted = readCall(process.argv.slice(2))
await ensureTools(wanted)
const report = createReport('media')
await runParts(report, wanted, name => parts[name](report, `media-${name}-${randomUUID().slice(0, 8)}`))
process.exit(report.finish())
