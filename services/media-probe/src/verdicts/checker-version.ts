import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isReleaseBuild } from '@filmgate/kit/environment/release'
import type { FoundTools } from '../child/find-tools'

const sources = new Bun.Glob('{child,cleaning,limits,measuring,movie}/**/*.ts')

/**
 * A hash of all that a verdict depends on: our code and the tools' versions. A release is one file, whose hash changes
 * with each; from source, it is that of the folders that check.
 */
export async function checkerVersion(
  { ffmpegVersion, ffprobeVersion }: Pick<FoundTools, 'ffmpegVersion' | 'ffprobeVersion'>,
  paths = isReleaseBuild ? [Bun.main] : sourcePaths(),
): Promise<string> {
  const hash = createHash('sha256').update(`${ffmpegVersion}\n${ffprobeVersion}\n`)
  for (const path of paths) hash.update(await Bun.file(path).bytes())
  return hash.digest('hex')
}

const sourcePaths = (): string[] => {
  const folder = join(import.meta.dir, '..')
  return [...sources.scanSync(folder)].sort().map(path => join(folder, path))
}
