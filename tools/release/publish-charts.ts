import { helm } from '../charts/helm'
import { StackFault } from '../stack/fault'
import { type ChartName, chartNames, revision, type Stamp, withPackages } from './charts'
import { chartRepository, digestOf, manifestOf, pushedDigest, type Registry, requireCommit } from './registry'

export type PublishedChart = { name: ChartName; digest: string }

/** Packs and pushes the charts that the registry lacks. What is there keeps its digest. */
export async function publishCharts(registry: Registry, stamp: Stamp): Promise<PublishedChart[]> {
  const digests = new Map<ChartName, string>()
  for (const name of chartNames) {
    const reference = `${chartRepository(registry, name)}:${stamp.version}`
    const digest = await digestOf(registry, reference)
    if (digest === undefined) continue
    requireCommit(reference, (await manifestOf(registry, reference)).annotations?.[revision], stamp.commit)
    digests.set(name, digest)
  }
  if (digests.size < chartNames.length)
    await withPackages(stamp, async packages => {
      for (const [name, file] of packages) if (!digests.has(name)) digests.set(name, await push(registry, name, file, stamp.version))
    })
  return chartNames.map(name => ({ name, digest: digests.get(name) ?? '' }))
}

async function push(registry: Registry, name: ChartName, file: string, version: string): Promise<string> {
  const reference = `${chartRepository(registry, name)}:${version}`
  const folder = `oci://${reference.slice(0, reference.lastIndexOf('/'))}`
  const { ok, output } = await helm(['push', file, folder, ...(registry.plainHttp ? ['--plain-http'] : [])])
  if (!ok) throw new StackFault(`Pushing ${reference} failed: ${output}`)
  console.log(`pushed   ${reference}`)
  return pushedDigest(registry, reference)
}
