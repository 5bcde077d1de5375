import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basesIn, ensureBases, pullDigests } from '../images/bases'
import { buildImage } from '../images/build'
import { type Engine, withEngine } from '../images/engine'
import { type ImageName, imageNames } from '../images/image-name'
import { StackFault } from '../stack/fault'
import { root } from '../stack/instance'
import { revision } from './charts'
import { crane, digestOf, imageRepository, labelsOf, manifestOf, pushedDigest, type Registry, requireCommit } from './registry'

export const platforms = ['linux/amd64', 'linux/arm64'] as const
export type Platform = (typeof platforms)[number]
export type PublishedImage = { name: ImageName; digest: string; platforms: { platform: Platform; digest: string }[] }
export type ImagesInput = { version: string; commit: string; substituteBases: boolean }

/** What the Docker engine of this machine builds. */
export const ownPlatform: Platform = process.arch === 'arm64' ? 'linux/arm64' : 'linux/amd64'

const tagOf = (registry: Registry, name: ImageName, version: string, platform: Platform): string =>
  `${imageRepository(registry, name)}:${version}-${platform.split('/')[1]}`

/** Throws if the registry has an image of this version. The gateway's is the first that a release pushes. */
export async function requireUnpublished(registry: Registry, version: string): Promise<void> {
  for (const platform of platforms) {
    const reference = tagOf(registry, 'gateway', version, platform)
    if (await digestOf(registry, reference)) throw new StackFault(`${reference} exists, and is of another commit: choose another version.`)
  }
}

/** The digest of a platform's image of this commit; undefined if the registry has none. */
async function findImage(registry: Registry, reference: string, commit: string): Promise<string | undefined> {
  const digest = await digestOf(registry, reference)
  if (digest !== undefined) requireCommit(reference, (await labelsOf(registry, reference))[revision], commit)
  return digest
}

/** Builds and pushes the images of this machine's platform that the registry lacks. What is there keeps its digest. */
export async function publishOwnImages(registry: Registry, input: ImagesInput): Promise<void> {
  const missing: ImageName[] = []
  for (const name of imageNames)
    if (!(await findImage(registry, tagOf(registry, name, input.version, ownPlatform), input.commit))) missing.push(name)
  if (missing.length === 0) return console.log(`images of ${ownPlatform}: all are there`)
  await withEngine(async engine => {
    const bases = await baseArguments(engine, input.substituteBases)
    for (const name of missing) {
      const reference = tagOf(registry, name, input.version, ownPlatform)
      console.log(`building ${name} for ${ownPlatform} …`)
      const { archive } = await buildImage(engine, name, input.version, [...bases, '--label', `${revision}=${input.commit}`])
      await crane(registry, `Pushing ${reference}`, 'push', archive, reference)
      console.log(`pushed   ${reference}`)
    }
  })
}

/** A release is built on base images whose digests are known; on look-alikes only where somebody says so. */
async function baseArguments(engine: Engine, substituteBases: boolean): Promise<string[]> {
  const bases = basesIn(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  if (substituteBases) return ensureBases(engine, bases)
  const moving = bases.filter(({ digest }) => digest === '')
  const digests = await pullDigests(engine, moving)
  return moving.flatMap(({ argument, tag }) => ['--build-arg', `${argument}=${tag}${digests.get(tag)}`])
}

/** Joins the platforms of each image under the version's tag. */
export async function publishIndexes(registry: Registry, input: ImagesInput, wanted: readonly Platform[]): Promise<PublishedImage[]> {
  const published: PublishedImage[] = []
  for (const name of imageNames) {
    const parts: PublishedImage['platforms'] = []
    for (const platform of wanted) {
      const reference = tagOf(registry, name, input.version, platform)
      const digest = await findImage(registry, reference, input.commit)
      if (digest === undefined)
        throw new StackFault(`${reference} is not there. Build it on a machine of ${platform} first: the same command with --images.`)
      parts.push({ platform, digest })
    }
    published.push({ name, digest: await publishIndex(registry, name, input.version, parts), platforms: parts })
  }
  return published
}

async function publishIndex(registry: Registry, name: ImageName, version: string, parts: PublishedImage['platforms']): Promise<string> {
  const repository = imageRepository(registry, name)
  const reference = `${repository}:${version}`
  const present = await digestOf(registry, reference)
  if (present !== undefined) {
    const held = (await manifestOf(registry, reference)).manifests?.map(({ digest }) => digest)
    if (Bun.deepEquals(held?.toSorted(), parts.map(({ digest }) => digest).toSorted())) return present
    throw new StackFault(`${reference} exists with other images than those of this release: choose another version.`)
  }
  const manifests = parts.flatMap(({ digest }) => ['--manifest', `${repository}@${digest}`])
  await crane(registry, `Joining the platforms of ${name}`, 'index', 'append', ...manifests, '--tag', reference)
  console.log(`joined   ${reference}`)
  return pushedDigest(registry, reference)
}
