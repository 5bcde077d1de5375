import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { kitCacheDir } from '@filmgate/tools/images/bases'
import { imageNames } from '@filmgate/tools/images/image-name'
import { cacheDir } from '@filmgate/tools/stack/instance'
import { root } from './cluster'
import { mustRun } from './shell'

/** What was released before, made from its commit. */
export type Former = { tag: string; chart: string; archives: string[] }

const tag = 'former'
const buildMsMax = 3_600_000

/** Builds the images of a commit in a tree of its own. */
export async function buildFormer(commit: string): Promise<Former> {
  const folder = join(kitCacheDir, 'former')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, '.local'), { recursive: true })
  symlinkSync(cacheDir, join(folder, '.local/cache'))
  await mustRun(['sh', '-c', 'git -C "$0" archive "$1" | tar -xf - -C "$2"', root, commit, folder])
  await mustRun(['bun', 'install', '--frozen-lockfile'], { cwd: folder })
  console.log((await mustRun(['bun', 'run', 'images', '--tag', tag], { cwd: folder, timeoutMs: buildMsMax })).trim())
  const archives = imageNames.map(name => join(folder, `.local/images/${name}-${tag}.tar`))
  return { tag, chart: join(folder, 'charts/filmgate'), archives }
}
