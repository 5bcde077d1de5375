import { join } from 'node:path'
import type { ReleaseFile } from '@filmgate/tools/release/summary'
import { run } from '@filmgate/tools/stack/fetch/run'
import { root } from '@filmgate/tools/stack/instance'
import type { Report } from '../support/suite/report'
import { type Bench, version } from './bench'

const example = ['-f', join(root, 'charts/filmgate/examples/single-node/values.yaml'), '--set', 'ops.enabled=true']

/** The charts by digest, as a stranger installs them: each image is named by a digest that the registry has. */
export async function proveCharts(report: Report, { helm, crane, registry, host }: Bench, release: ReleaseFile): Promise<void> {
  const charts = new Map(release.charts.map(({ reference }) => [reference.split('@')[0]?.split('/').at(-1) ?? '', reference]))
  const published = new Set(release.images.map(({ reference }) => reference))
  const template = (name: string, ...words: string[]) =>
    run([helm, 'template', 'filmgate', `oci://${charts.get(name)}`, '--plain-http', '--namespace', 'filmgate', ...words])
  const imagesIn = (output: string) => [...output.matchAll(/^ *(?:- )?image: "?([^"\s]+)"?$/gm)].map(([, image = '']) => image)

  const product = await template('filmgate', ...example)
  const images = [...new Set(imagesIn(product.output))]
  report.check('the chart renders by its digest', product.code === 0 && images.length > 5, product.output.slice(0, 1000))
  report.check(
    'each of its images is of this release, by digest',
    images.every(image => published.has(image)),
    images.join('\n'),
  )
  for (const image of images) report.check(`there: ${image}`, (await run([crane, 'manifest', image])).code === 0)
  report.check('its objects name the version', product.output.includes(`helm.sh/chart: filmgate-${version}`))
  report.figure('imagesOfTheProduct', images.length)

  const mirrored = await template('filmgate', ...example, '--set', 'global.image.registry=mirror.example')
  const moved = imagesIn(mirrored.output)
  const isMoved = moved.length > 5 && moved.every(image => published.has(image.replace('mirror.example/', `${registry}/`)))
  report.check('one value names a mirror, and the digests stay', isMoved, moved.join('\n'))

  for (const name of [...charts.keys()].filter(each => each !== 'filmgate')) {
    const values = [...new Bun.Glob('*.yaml').scanSync(join(root, 'charts', name, 'ci'))].slice(0, 1)
    const { code, output } = await template(name, ...values.flatMap(file => ['-f', join(root, 'charts', name, 'ci', file)]))
    const own = [...new Set(imagesIn(output))]
    const isOwn = own.length === 1 && own.every(image => published.has(image))
    report.check(`${name} installs alone, by digest`, code === 0 && isOwn, `${own.join(' ')} ${output.slice(0, 500)}`)
  }
  const wrong = `oci://${host}/acme/filmgate/charts/filmgate@sha256:${'0'.repeat(64)}`
  report.check('a digest that nobody published is refused', (await run([helm, 'template', 'x', wrong, '--plain-http'])).code !== 0)
  const install = [helm, 'install', 'filmgate', `oci://${charts.get('filmgate')}`, '--plain-http', '-n', 'filmgate', ...example]
  const dry = await run([...install, '--dry-run=client'])
  report.check('helm install takes it', dry.code === 0, dry.output.slice(0, 1000))
}
