import { cpus, totalmem } from 'node:os'
import { hashInputs, reportFile } from '@filmgate/tools/cluster-proof/hash-inputs'
import { readCoverage } from '@filmgate/tools/cluster-proof/read-coverage'
import { readArguments } from '@filmgate/tools/stack/command/arguments'
import { explain } from '@filmgate/tools/stack/fault'
import { chooseProofs } from './choose-proofs'
import { openCluster, root, versionOf } from './cluster'
import { buildFormer } from './former'
import { buildImages, loadImages, tag } from './images'
import { type Installation, targetOf } from './installation'
import { type Had, preflight } from './preflight'
import { proofs } from './proofs'
import { upgradeProof } from './proofs/version/upgrade'
import { keepProof } from './proven'
import { proveAll, type Requirement, writeReport } from './report'

const usage = `bun run test:cluster [--short] [--only WORD]… [--context CONTEXT --ingress ADDRESS] [--keep] [--reuse] [--built] [--from COMMIT]
       bun run test:cluster --preflight
       bun run test:cluster --needed

Builds the images, installs the product on a real Kubernetes and proves what an operator relies on. Without --context it starts a
cluster of its own (Linux, root), and wipes it at the end. --short proves what CI sees of it; --only what has this word in its
name, or one of several (the install always runs). --keep leaves it up, --reuse takes one that was kept, --built the images that
were built before. --from installs that commit first, and proves the upgrade from it and back. --preflight only asks whether what a cluster of its own is built of is served. Writes .local/reports/cluster.json; a green run that
built everything itself also writes ${reportFile}, to be committed. --needed says whether that report covers the present
files: it ends with 0 where it does, with 1 where a run is needed.`

const options = {
  short: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  context: { type: 'string' },
  ingress: { type: 'string' },
  keep: { type: 'boolean', default: false },
  reuse: { type: 'boolean', default: false },
  built: { type: 'boolean', default: false },
  from: { type: 'string' },
  preflight: { type: 'boolean', default: false },
  needed: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function readCall() {
  try {
    const { values: flags } = readArguments({ args: process.argv.slice(2), options }, usage)
    return { flags, chosen: chooseProofs(flags.from ? proofs : proofs.filter(proof => proof !== upgradeProof), flags) }
  } catch (error) {
    console.error(explain(error))
    process.exit(1)
  }
}

const { flags, chosen } = readCall()
if (flags.help) {
  console.log(usage)
  process.exit(0)
}

if (flags.needed) {
  const { proven, sentence } = await readCoverage().catch((error: unknown) => ({
    proven: false,
    sentence: `cluster needs a run: ${explain(error)}`,
  }))
  console.log(sentence)
  process.exit(proven ? 0 : 1)
}

/** What a cluster of our own is made of; nothing where one is there already. Ends the run where none can be had. */
async function haveParts(): Promise<Had | undefined> {
  if (flags.context || flags.reuse) return undefined
  const { had, notes } = await preflight()
  for (const note of notes) console.error(note)
  if (had) console.log(`A cluster of Kubernetes ${had.kubernetes}${[...had.missing.keys()].map(part => `, without ${part}`).join('')}`)
  else console.error('No cluster can be had: not all of what it is built of is served.')
  if (flags.preflight || !had) process.exit(had ? 0 : 1)
  return had
}

const startedAt = performance.now()
const had = await haveParts().catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
// A tree without git has no list of them.
const inputs = await hashInputs(root).catch(() => undefined)
if (!flags.built) await buildImages()
const former = flags.from === undefined ? undefined : await buildFormer(flags.from)
const cluster = await openCluster(flags.context, flags.reuse)
const stop = async () => void (flags.keep || (await cluster.stop()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(130)))
let ok = false
try {
  if (!flags.reuse) await loadImages(cluster, former?.archives)
  const installation: Installation = {
    cluster,
    tag,
    ingressAddress: flags.ingress ?? '',
    target: targetOf(flags.ingress ?? ''),
    go: had?.go ?? 'go',
    former,
  }
  // A cluster that isn't ours keeps the definitions and the way out that it has.
  const onlyOwn: Requirement[] = flags.context ? ['custom kinds', 'media host', 'node of our own'] : []
  const missing = had?.missing ?? new Map(onlyOwn.map(part => [part, 'only for a cluster of our own']))
  const results = await proveAll(chosen, installation, missing)
  const kubernetes = await versionOf(cluster)
  const machine = {
    cpus: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    minutes: Number(((performance.now() - startedAt) / 60_000).toFixed(1)),
    kubernetes,
  }
  const notAsked = proofs.filter(proof => !chosen.includes(proof)).map(({ name }) => name)
  ok = await writeReport(results, notAsked, machine)
  const whole = !flags.context && !flags.reuse && !flags.built && proofs.every(proof => !proof.short || chosen.includes(proof))
  if (ok && whole && inputs) await keepProof(inputs, kubernetes, results)
} finally {
  await stop()
}
process.exit(ok ? 0 : 1)
