import { join } from 'node:path'
import { StackFault } from '../stack/fault'
import { canInstallDebian, installDebian } from '../stack/fetch/package-client'
import { mustRun, run } from '../stack/fetch/run'
import { root } from '../stack/instance'
import { docker, type Engine } from './engine'

/** The Dockerfile's default base images. */
export const baseImages = ['oven/bun:1.4.5-slim', 'oven/bun:1.4.5-distroless']

export const kitDir = join(root, 'tests/cluster/node')
/** The kit's scripts use it too, and ignore an empty variable. */
export const kitCacheDir = join(process.env.XDG_CACHE_HOME || join(process.env.HOME ?? '/root', '.cache'), 'filmgate/k8s')
/** Root file systems and substitute images: minutes to build, seconds to use. */
export const substituteDir = join(kitCacheDir, 'img')

/** Pulls the base images, or loads substitutes with the same names if no registry answers. */
export async function ensureBases(engine: Engine, references: string[]): Promise<void> {
  for (const reference of references) {
    if ((await run([engine.docker, 'image', 'inspect', reference], { env: engine.env })).code === 0) continue
    if ((await run([engine.docker, 'pull', '-q', reference], { env: engine.env, timeoutMs: 300_000 })).code === 0) continue
    await buildSubstituteBases()
    const [name, tag] = reference.split(':')
    await docker(engine, `Loading a substitute of ${name}`, [
      'load',
      '-q',
      '-i',
      join(substituteDir, `${name?.split('/').at(-1)}-${tag}.tar`),
    ])
  }
}

export async function buildSubstituteBases(): Promise<void> {
  if (!Bun.which('mmdebstrap')) {
    if (!canInstallDebian())
      throw new StackFault('The base images could not be pulled: log in to a registry that has them, or install mmdebstrap.')
    await installDebian('mmdebstrap')
  }
  await mustRun('Making base images from Debian and npm packages', [join(kitDir, 'base-images.sh'), substituteDir], { timeoutMs: 600_000 })
}
