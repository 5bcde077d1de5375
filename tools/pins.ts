import { relative } from 'node:path'
import { bump, familyNames } from './modules/bump'
import { crdModules } from './modules/crd-modules'
import { ensureGo } from './modules/go'
import { describeMissing, missingPins, missingPinsOf } from './modules/missing-pins'
import { nodeModFile, toolModFile } from './modules/node-versions'
import { releaseModFile } from './release/programs'
import { readArguments } from './stack/command/arguments'
import { explain } from './stack/fault'
import { root } from './stack/instance'

const usage = `bun run pins
bun run pins bump ${familyNames.join('|')}

Compares what the cluster test's node, its tools and those of \`bun run release\` are pinned to with what the Go module proxy serves, in seconds, and names each
pin that is gone with the nearest version that is there. bump moves a family of the node to the newest patch that all of its modules
are served in, and leaves a diff to review, build and boot: bun run test:cluster --short.`

try {
  const { values, positionals } = readArguments(
    { args: process.argv.slice(2), allowPositionals: true, options: { help: { type: 'boolean' } } },
    usage,
  )
  const [verb, family = ''] = positionals
  if (values.help || (verb && verb !== 'bump')) {
    console.log(usage)
    process.exitCode = values.help ? 0 : 1
  } else if (verb) await bumpFamily(family)
  else process.exitCode = (await compare()) ? 0 : 1
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function compare(): Promise<boolean> {
  const go = await ensureGo()
  const files = [nodeModFile, toolModFile('contour'), toolModFile('keda'), releaseModFile]
  let whole = true
  const show = (what: string, faults: string[]) => {
    whole &&= faults.length === 0
    console.log(`${faults.length === 0 ? 'served ' : 'MISSING'}  ${what}${faults.map(words => `\n         ${words}`).join('')}`)
  }
  for (const file of files) show(relative(root, file), (await missingPinsOf(go, [file])).map(describeMissing))
  show('definitions of operators’ kinds', (await missingPins(go, crdModules)).map(describeMissing))
  return whole
}

async function bumpFamily(family: string): Promise<void> {
  const moved = await bump(await ensureGo(), family, nodeModFile)
  console.log(
    moved
      ? `${family}: ${moved.from} → ${moved.to} in ${relative(root, nodeModFile)}. Review the diff, then build and boot it: bun run test:cluster --short`
      : `${family} is at the newest patch that is served.`,
  )
}
