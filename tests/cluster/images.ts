import { join } from 'node:path'
import { imageNames } from '@filmgate/tools/images/image-name'
import { type Cluster, root } from './cluster'
import { mustRun } from './shell'

export const tag = '0.1.0'

/** Builds the product's images; they and the backends' are what a cluster of our own, which reaches no registry, is given. */
export async function buildImages(): Promise<void> {
  console.log((await mustRun(['bun', 'run', 'images', '--tag', tag], { timeoutMs: 3_600_000 })).trim())
}

export async function loadImages(cluster: Cluster, former: string[] = []): Promise<void> {
  if (!cluster.own) return
  const backends = (await mustRun(['bun', join(root, 'tools/images/backends.ts')], { timeoutMs: 1_800_000 })).trim().split('\n')
  for (const archive of [...backends, ...imageNames.map(name => join(root, `.local/images/${name}-${tag}.tar`)), ...former])
    await cluster.kit(['load', archive])
}
