import { join, relative } from 'node:path'
import { root } from '../stack/instance'
import type { PublishedImage } from './images'
import type { PublishedChart } from './publish-charts'
import { chartRepository, imageRepository, type Registry } from './registry'

export type Summary = {
  version: string
  commit: string
  registry: Registry
  /** Words of cosign. */
  verify: string[]
  images: PublishedImage[]
  charts: PublishedChart[]
}

/** What a release consists of, in `release.json`: each reference with its digest. */
export type ReleaseFile = {
  version: string
  commit: string
  images: { reference: string; platforms: Record<string, string> }[]
  charts: { reference: string }[]
}

const releaseOf = ({ version, commit, registry, images, charts }: Summary): ReleaseFile => ({
  version,
  commit,
  images: images.map(({ name, digest, platforms }) => ({
    reference: `${imageRepository(registry, name)}@${digest}`,
    platforms: Object.fromEntries(platforms.map(part => [part.platform, `${imageRepository(registry, name)}@${part.digest}`])),
  })),
  charts: charts.map(({ name, digest }) => ({ reference: `${chartRepository(registry, name)}@${digest}` })),
})

/** The commands for somebody who has only the registry. */
function commandsOf({ images, charts }: ReleaseFile, { registry, verify }: Summary): string[] {
  const product = charts.at(-1)?.reference ?? ''
  const [image = ''] = Object.values(images[0]?.platforms ?? {})
  const words = verify.map(word => (word.startsWith(root) ? relative(root, word) : word)).join(' ')
  const http = registry.plainHttp ? '--allow-http-registry ' : ''
  return [
    `cosign verify ${http}${words} ${product}`,
    `cosign verify-attestation --type cyclonedx ${http}${words} ${image}`,
    `helm install filmgate oci://${product} -n filmgate -f my-values.yaml --wait${registry.plainHttp ? ' --plain-http' : ''}`,
  ]
}

/** Writes `release.json`, and `notes.md` for the page of the release. */
export async function writeSummary(folder: string, summary: Summary, notes: string): Promise<void> {
  const release = releaseOf(summary)
  await Bun.write(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  const commands = ['```sh', ...commandsOf(release, summary), '```']
  await Bun.write(join(folder, 'notes.md'), `${notes}\n\n### Verify and install\n\n${commands.join('\n')}\n`)
}

export function printSummary(folder: string, summary: Summary): void {
  const release = releaseOf(summary)
  console.log(`\n${[...release.images, ...release.charts].map(({ reference }) => reference).join('\n')}`)
  console.log(`\n${commandsOf(release, summary).join('\n')}\n\nAll of it is in ${relative(root, folder)}.`)
}
