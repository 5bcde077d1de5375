import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ImageName, imageNames } from '@filmgate/tools/images/image-name'
import { revision } from '@filmgate/tools/release/charts'
import { fetchPrograms } from '@filmgate/tools/release/programs'
import { publishCharts } from '@filmgate/tools/release/publish-charts'
import { chartRepository, crane, imageRepository, pushedDigest, type Registry } from '@filmgate/tools/release/registry'
import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { type Cluster, root, stateDir } from '../../cluster'
import { helmTest, namespace, upgrade, values } from '../../install'
import { auditIsClean, type Installation, makeLoadInstant } from '../../installation'
import type { Proof } from '../../report'
import { eventually, mustRun } from '../../shell'

/** This machine, as its node reaches it (node/up.sh). */
const machine = '172.31.250.1'
const version = '99.0.0'

/**
 * The charts as a release packs them, installed by the digest that a registry has of them; the node pulls each image by the digest that the
 * chart names. How a release is built and signed is proven by tests/release.
 */
export const registryProof: Proof<Installation> = {
  name: 'installed from a registry by digest',
  short: false,
  needs: 'node of our own',
  prove: installation =>
    withRegistry(async registry => {
      const { cluster, tag } = installation
      const commit = (await mustRun(['git', '-C', root, 'rev-parse', 'HEAD'])).trim()
      const digests = await pushImages(registry, tag, commit)
      const charts = await publishCharts(registry, { version, commit, registry: registry.name, digests })
      const product = `oci://${chartRepository(registry, 'filmgate')}@${charts.find(({ name }) => name === 'filmgate')?.digest}`
      const { image: _, ...global } = values(tag).global
      const seconds = await upgrade(cluster, { ...values(tag), global, ops: { enabled: true } }, product, '--plain-http')
      const images = await runningImages(cluster)
      const published = imageNames.map(name => `${imageRepository(registry, name)}@${digests.get(name)}`)
      const foreign = images.filter(image => !published.includes(image))
      if (foreign.length > 0 || images.length < imageNames.length)
        throw new Error(`the pods run ${images.length} images, and not from the registry: ${foreign.join(', ') || 'none'}`)
      await helmTest(cluster)
      await auditIsClean(installation)
      await upgrade(cluster, values(tag))
      await makeLoadInstant(installation)
      return { charts: charts.length, images: images.length, upgrade_s: Number(seconds.toFixed(1)) }
    }),
}

/** A registry on this machine that the node may pull from without TLS, as long as the work takes. */
async function withRegistry<T>(work: (registry: Registry) => Promise<T>): Promise<T> {
  const programs = await fetchPrograms()
  const host = `${machine}:${portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)}`
  const [blobs, trusted] = [join(stateDir, 'registry'), join(stateDir, 'registries', host)]
  mkdirSync(blobs, { recursive: true })
  mkdirSync(trusted, { recursive: true })
  await Bun.write(join(trusted, 'hosts.toml'), `[host."http://${host}"]\n  capabilities = ["pull", "resolve"]\n`)
  const log = Bun.file(join(stateDir, 'log/registry.log'))
  const served = Bun.spawn([programs.crane, 'registry', 'serve', '--address', host, '--disk', blobs], { stdout: log, stderr: log })
  try {
    await eventually('the registry', 60_000, async () => (await fetch(`http://${host}/v2/`)).ok)
    return await work({ ...programs, name: `${host}/acme`, plainHttp: true })
  } finally {
    served.kill()
    await served.exited
    for (const folder of [blobs, trusted]) rmSync(folder, { recursive: true, force: true })
  }
}

/** With the label of a release: an image that differs in nothing from a loaded one would no longer count as loaded, once it was pulled. */
async function pushImages(registry: Registry, tag: string, commit: string): Promise<Map<ImageName, string>> {
  const digests = new Map<ImageName, string>()
  for (const name of imageNames) {
    const reference = `${imageRepository(registry, name)}:${version}`
    await crane(registry, `Pushing ${reference}`, 'push', join(root, `.local/images/${name}-${tag}.tar`), reference)
    await crane(registry, `Labelling ${reference}`, 'mutate', reference, '--label', `${revision}=${commit}`, '--tag', reference)
    digests.set(name, await pushedDigest(registry, reference))
  }
  return digests
}

type Pods = { items: { metadata: { deletionTimestamp?: string }; spec: { containers: { image: string }[] } }[] }

/** Of all servers, each once. */
async function runningImages(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.get<Pods>(['pods', '-n', namespace, '--field-selector', 'status.phase=Running'])
  const staying = items.filter(({ metadata }) => !metadata.deletionTimestamp)
  return [...new Set(staying.flatMap(({ spec }) => spec.containers.map(({ image }) => image)))]
}
