import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helm } from '../charts/helm'
import { type ImageName, serviceImages } from '../images/image-name'
import { StackFault } from '../stack/fault'
import { root } from '../stack/instance'

/** Those of the services, and the umbrella's, which also has the pod `ops`. */
export const chartNames = [...serviceImages, 'filmgate'] as const
export type ChartName = (typeof chartNames)[number]

export type Stamp = { version: string; commit: string; registry: string; digests: ReadonlyMap<ImageName, string> }

/** The annotation by which a published chart or image tells its commit. */
export const revision = 'org.opencontainers.image.revision'

/** Packs every chart as it is published, and hands over the packages' files. They are gone afterwards. */
export async function withPackages<T>(stamp: Stamp, work: (packages: Map<ChartName, string>) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-charts-'))
  try {
    const charts = join(folder, 'charts')
    // The links from a chart to the charts beside it are kept, so one stamped copy is in every package.
    cpSync(join(root, 'charts'), charts, { recursive: true, verbatimSymlinks: true })
    for (const name of readdirSync(charts, { withFileTypes: true })) if (name.isDirectory()) stampChart(join(charts, name.name), stamp)
    const packages = new Map<ChartName, string>()
    const packAlone = async (name: (typeof serviceImages)[number]) => {
      const values = join(charts, name, 'values.yaml')
      const plain = stampDigest(readFileSync(values, 'utf8'), values, stamp.digests.get(name) ?? '')
      // In the package of its own only: the umbrella's charts have it from `global`, so one value names a mirror for all.
      writeFileSync(values, stampRegistry(plain, values, stamp.registry))
      packages.set(name, await pack(join(charts, name), folder, stamp.version))
      writeFileSync(values, plain)
    }
    await Promise.all(serviceImages.map(packAlone))
    const values = join(charts, 'filmgate/values.yaml')
    const whole = stampDigest(readFileSync(values, 'utf8'), values, stamp.digests.get('ops') ?? '')
    writeFileSync(values, replaceOnce(whole, values, /^(global:\n {2}image:\n {4}registry: )""$/m, `$1${stamp.registry}`))
    packages.set('filmgate', await pack(join(charts, 'filmgate'), folder, stamp.version))
    return await work(packages)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Its version, that of the charts it depends on, and the commit. */
function stampChart(folder: string, { version, commit }: Stamp): void {
  const file = join(folder, 'Chart.yaml')
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^( *)version: .*$/gm, `$1version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`)
  writeFileSync(file, `${text.trimEnd()}\nannotations:\n  ${revision}: "${commit}"\n`)
}

const stampDigest = (values: string, file: string, digest: string): string =>
  replaceOnce(values, file, /^( {2,4}digest: )""$/m, `$1${digest}`)
const stampRegistry = (values: string, file: string, registry: string): string =>
  replaceOnce(values, file, /^( {2}registry: )""$/m, `$1${registry}`)

/** Text, because a YAML writer would drop the comments that the package's readers need. */
function replaceOnce(text: string, file: string, place: RegExp, by: string): string {
  const found = text.match(new RegExp(place, 'gm'))?.length ?? 0
  if (found !== 1) throw new StackFault(`${file}: ${place.source} was expected once and is there ${found} times.`)
  return text.replace(place, by)
}

async function pack(chart: string, folder: string, version: string): Promise<string> {
  const { ok, output } = await helm(['package', chart, '--destination', folder])
  if (!ok) throw new StackFault(`Packing ${chart} failed: ${output}`)
  return join(folder, `${chart.split('/').at(-1)}-${version}.tgz`)
}
