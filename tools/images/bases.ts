import { join } from 'node:path'
import { StackFault } from '../stack/fault'
import { canInstallDebian, installDebian } from '../stack/fetch/package-client'
import { mustRun, run } from '../stack/fetch/run'
import { root } from '../stack/instance'
import { docker, type Engine } from './engine'

/** A base image: the argument of the Dockerfile that names it, its tag, and its digest if it is pinned. */
export type BaseImage = { argument: string; tag: string; digest: string }

const named = /^ARG (\w+_IMAGE)=([^\s@]+)(@sha256:[0-9a-f]{64})?$/gm

export const basesIn = (dockerfile: string): BaseImage[] =>
  [...dockerfile.matchAll(named)].map(([, argument = '', tag = '', digest = '']) => ({ argument, tag, digest }))

export const withDigests = (dockerfile: string, digests: ReadonlyMap<string, string>): string =>
  dockerfile.replace(named, (_, argument: string, tag: string) => `ARG ${argument}=${tag}${digests.get(tag) ?? ''}`)

export const kitDir = join(root, 'tests/cluster/node')
/** The kit's scripts use it too, and ignore an empty variable. */
export const kitCacheDir = join(process.env.XDG_CACHE_HOME || join(process.env.HOME ?? '/root', '.cache'), 'filmgate/k8s')
/** Root file systems and substitute images: minutes to build, seconds to use. */
export const substituteDir = join(kitCacheDir, 'img')

/**
 * Pulls the base images, or loads substitutes with the same tags if no registry answers. Returns the build arguments for
 * substitutes, which can't have the digest of an image.
 */
export async function ensureBases(engine: Engine, bases: BaseImage[]): Promise<string[]> {
  const succeeds = async (...args: string[]) => (await run([engine.docker, ...args], { env: engine.env, timeoutMs: 300_000 })).code === 0
  const substituted: BaseImage[] = []
  for (const base of bases) {
    const reference = `${base.tag}${base.digest}`
    if ((await succeeds('image', 'inspect', reference)) || (await succeeds('pull', '-q', reference))) continue
    if (base.digest === '' || !(await succeeds('image', 'inspect', base.tag))) await loadSubstitute(engine, base)
    substituted.push(base)
  }
  return substituted.filter(({ digest }) => digest !== '').flatMap(({ argument, tag }) => ['--build-arg', `${argument}=${tag}`])
}

/** The digests of the base images by their tags, as the registry has them now. */
export async function pullDigests(engine: Engine, bases: BaseImage[]): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for (const { tag } of bases) {
    await docker(engine, `Pulling ${tag}`, ['pull', '-q', tag])
    const listed = await docker(engine, `Reading the digest of ${tag}`, ['image', 'inspect', '--format', '{{json .RepoDigests}}', tag])
    const digest = /@sha256:[0-9a-f]{64}/.exec(listed)?.[0]
    if (digest === undefined) throw new StackFault(`${tag} has no digest: it was not pulled from a registry.`)
    digests.set(tag, digest)
  }
  return digests
}

async function loadSubstitute(engine: Engine, { tag: reference }: BaseImage): Promise<void> {
  await buildSubstituteBases()
  const [name, tag] = reference.split(':')
  const archive = join(substituteDir, `${name?.split('/').at(-1)}-${tag}.tar`)
  await docker(engine, `Loading a substitute of ${name}`, ['load', '-q', '-i', archive])
}

export async function buildSubstituteBases(): Promise<void> {
  if (!Bun.which('mmdebstrap')) {
    if (!canInstallDebian())
      throw new StackFault('The base images could not be pulled: log in to a registry that has them, or install mmdebstrap.')
    await installDebian('mmdebstrap')
  }
  await mustRun('Making base images from Debian and npm packages', [join(kitDir, 'base-images.sh'), substituteDir], { timeoutMs: 600_000 })
}
