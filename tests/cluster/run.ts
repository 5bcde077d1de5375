import { cpus, totalmem } from 'node:os'
import { readArguments } from '@filmgate/tools/stack/arguments'
import { explain } from '@filmgate/tools/stack/fault'
import { chooseProofs } from './choose-proofs'
import { openCluster } from './cluster'
import { buildImages, loadImages, tag } from './images'
import { type Line, targetOf } from './line'
import { proofs } from './proofs'
import { proveAll, writeReport } from './report'

const usage = `bun run test:cluster [--short] [--only WORD]… [--context CONTEXT --ingress ADDRESS] [--keep] [--reuse] [--built]

Builds the images, installs the product on a real Kubernetes and proves what an operator relies on. Without --context it starts a
cluster of its own (Linux, root), and wipes it at the end. --short proves what CI sees of it; --only what has this word in its
name, or one of several (the install always runs). --keep leaves it up, --reuse takes one that was kept, --built the images that
were built before. Writes .local/reports/cluster.json.`

const options = {
  short: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  context: { type: 'string' },
  ingress: { type: 'string' },
  keep: { type: 'boolean', default: false },
  reuse: { type: 'boolean', default: false },
  built: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function readCall() {
  try {
    const { values: flags } = readArguments({ args: process.argv.slice(2), options }, usage)
    return { flags, chosen: chooseProofs(proofs, flags) }
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

const startedAt = performance.now()
if (!flags.built) await buildImages()
const cluster = await openCluster(flags.context, flags.reuse)
const stop = async () => void (flags.keep || (await cluster.stop()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().finally(() => process.exit(130)))
let ok = false
try {
  if (!flags.reuse) await loadImages(cluster)
  const line: Line = { cluster, tag, ingressAddress: flags.ingress ?? '', target: targetOf(flags.ingress ?? '') }
  const results = await proveAll(chosen, line)
  const machine = {
    cpus: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    minutes: Number(((performance.now() - startedAt) / 60_000).toFixed(1)),
  }
  ok = await writeReport(results, proofs.length - chosen.length, machine)
} finally {
  await stop()
}
process.exit(ok ? 0 : 1)
