import { join } from 'node:path'
import { isReleaseBuild } from '@filmgate/kit/environment/release'

/** Beside src, of which this folder is one; a release is one file in dist, and the folder lies beside that. */
export const migrationsFolder = join(import.meta.dir, isReleaseBuild ? '../migrations' : '../../migrations')
