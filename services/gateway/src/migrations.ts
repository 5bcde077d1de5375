import { join } from 'node:path'

/** Beside src and, in the image, beside dist. */
export const migrationsFolder = join(import.meta.dir, '../migrations')
