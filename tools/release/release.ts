import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, requireKnown } from '../stack/command/arguments'
import { explain, StackFault } from '../stack/fault'
import { root } from '../stack/instance'
import { chartNames } from './charts'
import { type ImagesInput, ownPlatform, type Platform, platforms, publishIndexes, publishOwnImages, requireUnpublished } from './images'
import { prepareRelease } from './prepare'
import { fetchPrograms } from './programs'
import { publishCharts } from './publish-charts'
import { chartRepository, imageRepository, type Registry } from './registry'
import { attestSbom, type Signer, sign, signByIdentity, signByKey } from './sign'
import { printSummary, writeSummary } from './summary'

const usage = `bun run release VERSION [--dry-run]
bun run release VERSION --registry HOST/PATH (--key FILE | --identity ID --issuer URL) [--platform OS/ARCH]… [--dry-run]
bun run release VERSION --registry HOST/PATH --images [--dry-run]

Gives *Unreleased* of CHANGELOG.md a version, commits and tags that (v1.2.3), and with --registry publishes it: the images, signed
and with their SBOMs attested, and the charts, signed, which name the images by digest. Prints the digests and the commands to verify and
install. It can be repeated after an interruption: what the registry has of the same commit is kept. docs/releasing.md says more.

  --registry HOST/PATH    images go to HOST/PATH/filmgate/NAME, charts to HOST/PATH/filmgate/charts/NAME. Log in before: docker login HOST
  --key FILE              sign by this key of cosign; its password is in COSIGN_PASSWORD. Nothing is sent to a transparency log
  --identity, --issuer    sign keyless by Sigstore, as whom and by which OIDC issuer: what the signatures are then verified against
  --platform OS/ARCH      once for each that the release has: ${platforms.join(', ')} (default: this machine's)
  --images                only build and push the images of this machine's platform, for a release on another machine
  --substitute-bases      build on look-alikes of base images that can't be pulled: for tests
  --plain-http            the registry speaks HTTP: for tests
  --dry-run               check the tree, the version and the changelog, say what would be done, write nothing`

const options = {
  registry: { type: 'string' },
  key: { type: 'string' },
  identity: { type: 'string' },
  issuer: { type: 'string' },
  platform: { type: 'string', multiple: true },
  images: { type: 'boolean', default: false },
  'substitute-bases': { type: 'boolean', default: false },
  'plain-http': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function readCall() {
  const { values, positionals } = readArguments({ args: process.argv.slice(2), allowPositionals: true, options }, usage)
  const [version = '', ...more] = positionals
  if (values.help) return { ...values, version, wanted: [] }
  const refuse = (words: string) => {
    throw new StackFault(`${words}\n\n${usage}`)
  }
  if (version === '' || more.length > 0) refuse('Name one version.')
  const wanted = values.platform ?? [ownPlatform]
  requireKnown('platform', wanted, platforms)
  const keyless = values.identity !== undefined && values.issuer !== undefined
  if (values.registry !== undefined && !/^[\w.-]+(:\d+)?(\/[a-z0-9._-]+)*$/.test(values.registry))
    refuse(`"${values.registry}" is no registry: write it as HOST/PATH, without a scheme.`)
  if (values.registry !== undefined && !values.images && keyless === (values.key !== undefined))
    refuse('Say by what it is signed: either --key, or --identity and --issuer.')
  if (values.registry === undefined && (values.images || values.key || values.identity)) refuse('Name the registry.')
  return { ...values, version, wanted: platforms.filter(platform => wanted.includes(platform)) }
}

type Call = ReturnType<typeof readCall>

async function release(call: Call): Promise<void> {
  const registry: Registry | undefined =
    call.registry === undefined ? undefined : { ...(await fetchPrograms()), name: call.registry, plainHttp: call['plain-http'] }
  const unpublished = async () => void (registry && (await requireUnpublished(registry, call.version)))
  const { commit, notes, existed } = await prepareRelease(call.version, call['dry-run'], unpublished)
  const done = call['dry-run'] ? 'would be made' : 'made'
  console.log(existed ? `v${call.version} is this commit, ${commit.slice(0, 12)}` : `commit and tag v${call.version}: ${done}`)
  if (call['dry-run']) return describe(call)
  if (registry === undefined) return console.log(`Publish it: git push --follow-tags, or the same command with --registry.`)
  const input: ImagesInput = { version: call.version, commit, substituteBases: call['substitute-bases'] }
  if (call.images || call.wanted.includes(ownPlatform)) await publishOwnImages(registry, input)
  if (!call.images) await publish(registry, call, input, notes)
}

async function publish(registry: Registry, call: Call, input: ImagesInput, notes: string): Promise<void> {
  const folder = join(root, '.local/releases', call.version)
  mkdirSync(folder, { recursive: true })
  const signer: Signer =
    call.key === undefined ? signByIdentity(call.identity ?? '', call.issuer ?? '') : await signByKey(registry, call.key, folder)
  const images = await publishIndexes(registry, input, call.wanted)
  for (const { name, digest, platforms: parts } of images) {
    const repository = imageRepository(registry, name)
    await sign(registry, signer, `${repository}@${digest}`)
    for (const part of parts) await attestSbom(registry, signer, { name, version: call.version, reference: `${repository}@${part.digest}` })
  }
  const digests = new Map(images.map(({ name, digest }) => [name, digest]))
  const charts = await publishCharts(registry, { version: call.version, commit: input.commit, registry: call.registry ?? '', digests })
  for (const { name, digest } of charts) await sign(registry, signer, `${chartRepository(registry, name)}@${digest}`)
  const summary = { version: call.version, commit: input.commit, registry, verify: signer.verify, images, charts }
  await writeSummary(folder, summary, notes)
  printSummary(folder, summary)
}

function describe({ registry, images, wanted, key, identity }: Call): void {
  if (registry === undefined) return
  const built: readonly Platform[] = images ? [ownPlatform] : wanted
  console.log(`images for ${built.join(', ')} to ${registry}/filmgate`)
  if (!images) console.log(`charts ${chartNames.join(', ')} to ${registry}/filmgate/charts\nsigned by ${key ?? identity}`)
}

try {
  const call = readCall()
  if (call.help) console.log(usage)
  else await release(call)
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
