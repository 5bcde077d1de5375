import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { basesIn, ensureBases, pullDigests, withDigests } from './images/bases'
import { type BuiltImage, buildImage } from './images/build'
import { withEngine } from './images/engine'
import { imageNames, isImageName } from './images/image-name'
import { readArguments, requireKnown } from './stack/command/arguments'
import { explain } from './stack/fault'
import { root } from './stack/instance'

const usage = `bun run images [name…] [--tag TAG]
bun run images --pin

Builds the images of the services (default: all of ${imageNames.join(', ')}) from the Dockerfile, saves each under
.local/images/ as a docker-archive with its SBOM (CycloneDX) beside it, and prints their sizes.
Uses the Docker engine that docker reaches; on Linux as root without one, starts one of its own for as long as it builds.
Base images that can't be pulled are replaced by look-alikes made of Debian and npm packages.
--pin pulls the base images and writes their digests into the Dockerfile; it needs a registry that has them.`

const dockerfile = join(root, 'Dockerfile')

try {
  const { values, positionals } = readArguments(
    {
      args: process.argv.slice(2),
      allowPositionals: true,
      options: {
        tag: { type: 'string', default: '0.1.0' },
        pin: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  )
  if (values.help) console.log(usage)
  else if (values.pin) await pinBases()
  else await buildAll(positionals.length ? positionals : [...imageNames], values.tag)
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function pinBases(): Promise<void> {
  const text = readFileSync(dockerfile, 'utf8')
  const digests = await withEngine(engine => pullDigests(engine, basesIn(text)))
  writeFileSync(dockerfile, withDigests(text, digests))
  for (const [tag, digest] of digests) console.log(`${tag}${digest}`)
}

async function buildAll(names: string[], tag: string): Promise<void> {
  requireKnown('image', names, imageNames)
  const built = await withEngine(async engine => {
    const bases = await ensureBases(engine, basesIn(readFileSync(dockerfile, 'utf8')))
    const images: BuiltImage[] = []
    for (const name of names.filter(isImageName)) images.push(await buildImage(engine, name, tag, bases))
    return images
  })
  for (const { reference, bytes, packages, seconds } of built)
    console.log(
      `${reference.padEnd(32)} ${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${packages} packages in its SBOM  built in ${seconds.toFixed(1)} s`,
    )
}
