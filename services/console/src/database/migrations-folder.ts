import { join } from 'node:path'
import { isReleaseBuild } from '@filmgate/kit/environment/release'

/** In a release everything is one file in dist, and the folder is beside dist. */
export const migrationsFolder = join(import.meta.dir, isReleaseBuild ? '../migrations' : '../../migrations')
