import { join, relative } from 'node:path'
import { kitDir } from './images/bases'
import { bump, familyNames } from './modules/bump'
import { customKinds } from './modules/custom-kinds'
import { haveGo } from './modules/go'
import { missingOf, missingPins, sayMissing } from './modules/missing-pins'
import { chooseSets, nodeSets } from './modules/node-sets'
import { readArguments } from './stack/arguments'
import { explain } from './stack/fault'
import { root } from './stack/instance'

const usage = `bun run pins
bun run pins bump ${familyNames.join('|')} [--set VERSION]

Compares what the cluster test's node and its tools are pinned to with what the Go module proxy serves, in seconds, and names each
pin that is gone with the nearest version that is there. bump moves a family to the newest patch that all of its modules are served
in, in the mod file of a set (default: go.mod's), and leaves a diff to review, build and boot: bun run test:cluster --short.`

try {
  const { values, positionals } = readArguments(
    { args: process.argv.slice(2), allowPositionals: true, options: { set: { type: 'string' }, help: { type: 'boolean' } } },
    usage,
  )
  const [verb, family = ''] = positionals
  if (values.help || (verb && verb !== 'bump')) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else if (verb) await bumpFamily(family, values.set)
  else process.exitCode = (await compare()) ? 0 : 1
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function compare(): Promise<boolean> {
  const go = await haveGo()
  const files = [...(await nodeSets()).map(({ path }) => path), ...['contour', 'keda'].map(name => join(kitDir, 'tools', name, 'go.mod'))]
  let whole = true
  const show = (what: string, faults: string[]) => {
    whole &&= faults.length === 0
    console.log(`${faults.length === 0 ? 'served ' : 'MISSING'}  ${what}${faults.map(words => `\n         ${words}`).join('')}`)
  }
  for (const file of files) show(relative(root, file), (await missingOf(go, [file])).map(sayMissing))
  show('definitions of operators’ kinds', (await missingPins(go, customKinds)).map(sayMissing))
  return whole
}

async function bumpFamily(family: string, wanted: string | undefined): Promise<void> {
  const [set] = await chooseSets(wanted)
  if (!set) return
  const moved = await bump(await haveGo(), family, set.path)
  console.log(
    moved
      ? `${family}: ${moved.from} → ${moved.to} in ${relative(root, set.path)}. Review the diff, then build and boot it: bun run test:cluster --short`
      : `${family} is at the newest patch that is served.`,
  )
}
