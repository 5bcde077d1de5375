import { join } from 'node:path'
import { isReleaseBuild } from '@filmgate/kit/environment/release'

/** The service's SQL files: two folders up in the source; in an image one up from the bundle, which lies in `dist` beside them. */
export const migrationsFolder = join(import.meta.dir, isReleaseBuild ? '../migrations' : '../../migrations')
