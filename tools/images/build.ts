import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'
import { docker, type Engine } from './engine'
import type { ImageName } from './image-name'
import { writeSbom } from './sbom'

export type BuiltImage = { name: ImageName; reference: string; bytes: number; archive: string; packages: number; seconds: number }

export const imageDir = join(root, '.local/images')

/** Builds a service's image, saves it as a docker-archive, and writes its SBOM. `bases`: build arguments for its base images. */
export async function buildImage(engine: Engine, name: ImageName, tag: string, bases: string[]): Promise<BuiltImage> {
  mkdirSync(imageDir, { recursive: true })
  const startedAt = performance.now()
  const reference = `filmgate/${name}:${tag}`
  const archive = join(imageDir, `${name}-${tag}.tar`)
  // The build uses the host's network to reach package registries.
  await docker(
    engine,
    `Building ${reference}`,
    ['build', '--network', 'host', '--target', name, '--build-arg', `VERSION=${tag}`, ...bases, '-t', reference, '.'],
    root,
  )
  await docker(engine, `Saving ${reference}`, ['save', '-o', archive, reference])
  const size = await docker(engine, `Measuring ${reference}`, ['image', 'inspect', '--format', '{{.Size}}', reference])
  const packages = await writeSbom({ name, reference, archive, file: join(imageDir, `${name}-${tag}.cdx.json`) })
  return { name, reference, bytes: Number(size), archive, packages, seconds: (performance.now() - startedAt) / 1000 }
}
