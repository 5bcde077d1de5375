import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageNames } from '@filmgate/tools/images/image-name'
import type { ReleaseFile } from '@filmgate/tools/release/summary'
import { mustRun, run } from '@filmgate/tools/stack/fetch/run'
import type { Report } from '../support/suite/report'
import { type Bench, version } from './bench'
import type { Tree } from './tree'

/**
 * A release of both platforms, joined from images that two machines have pushed. The second one's are copies that call themselves
 * arm64: what is tried is how they are joined and signed, not that they run.
 */
export async function provePlatforms(report: Report, bench: Bench, tree: Tree, release: ReleaseFile): Promise<void> {
  const { crane, cosign, host, publicKey, key } = bench
  const registry = `${host}/both`
  const both = ['--platform', 'linux/amd64', '--platform', 'linux/arm64']
  const call = [version, '--registry', registry, '--key', key, '--substitute-bases', '--plain-http', ...both]
  for (const [index, name] of imageNames.entries()) {
    const [source = ''] = Object.values(release.images[index]?.platforms ?? {})
    const target = `${registry}/filmgate/${name}:${version}`
    for (const arch of ['amd64', 'arm64'])
      await mustRun('Copying', [crane, 'mutate', source, '--set-platform', `linux/${arch}`, '--tag', `${target}-${arch}`])
    if (name !== 'gateway') continue
    const part = await tree.release(...call, '--images')
    report.check('--images builds no platform twice', part.code === 0, part.output)
  }
  const { code, output } = await tree.release(...call)
  report.check('a release of both platforms', code === 0, output)
  const made = JSON.parse(readFileSync(join(tree.folder, '.local/releases', version, 'release.json'), 'utf8')) as ReleaseFile
  for (const { reference, platforms } of made.images) {
    const index = JSON.parse((await run([crane, 'manifest', reference])).output) as {
      manifests: { digest: string; platform: { architecture: string } }[]
    }
    const held = index.manifests.map(({ digest, platform }) => [`linux/${platform.architecture}`, digest])
    const named = Object.entries(platforms).map(([platform, image]) => [platform, image.split('@')[1]])
    report.check(`${reference} names both`, named.length === 2 && Bun.deepEquals(held, named), JSON.stringify({ held, named }))
    for (const image of Object.values(platforms)) {
      const words = ['--allow-http-registry', '--insecure-ignore-tlog', '--key', publicKey]
      const signed = await run([cosign, 'verify', ...words, image])
      const attested = await run([cosign, 'verify-attestation', '--type', 'cyclonedx', ...words, image])
      report.check(
        `signed and attested: ${image}`,
        signed.code === 0 && attested.code === 0,
        `${signed.output} ${attested.output}`.slice(0, 500),
      )
    }
  }
}
