import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { helm, render } from '../charts/helm'
import { type ImageName, imageNames } from '../images/image-name'
import { root } from '../stack/instance'
import { chartNames, type Stamp, withPackages } from './charts'

const digestOf = (index: number) => `sha256:${String(index).repeat(64)}`
const stamp: Stamp = {
  version: '9.8.7-rc.1',
  commit: 'c'.repeat(40),
  registry: 'registry.example/acme',
  digests: new Map<ImageName, string>(imageNames.map((name, index) => [name, digestOf(index)])),
}
const example = join(root, 'charts/filmgate/examples/single-node/values.yaml')
const imagesIn = (text: string) => [...text.matchAll(/^ *(?:- )?image: "?([^"\s]+)"?$/gm)].map(([, image = '']) => image)

test('packed charts have the version and the commit, and name each image by its digest', async () => {
  const files = await withPackages(stamp, async packages => {
    expect([...packages.keys()].toSorted()).toEqual([...chartNames].toSorted())
    const product = packages.get('filmgate') ?? ''
    const metadata = await helm(['show', 'chart', product])
    for (const words of ['\nversion: 9.8.7-rc.1', 'appVersion: 9.8.7-rc.1', `image.revision: ${stamp.commit}`])
      expect(metadata.output).toContain(words)
    const rendered = await helm(['template', 'filmgate', product, '--values', example, '--set', 'ops.enabled=true'])
    const known = imageNames.map((name, index) => `registry.example/acme/filmgate/${name}@${digestOf(index)}`)
    const images = imagesIn(rendered.output)
    expect(images).toContain(`registry.example/acme/filmgate/ops@${digestOf(imageNames.indexOf('ops'))}`)
    expect(images.length).toBeGreaterThan(8)
    expect(images.filter(image => !known.includes(image))).toEqual([])
    const alone = await render(packages.get('catalog') ?? '', [join(root, 'charts/catalog/ci/alone.yaml')])
    expect(new Set(imagesIn(alone.output))).toEqual(
      new Set([`registry.example/acme/filmgate/catalog@${digestOf(imageNames.indexOf('catalog'))}`]),
    )
    return [...packages.values()]
  })
  expect(files.filter(file => existsSync(file))).toEqual([])
})
