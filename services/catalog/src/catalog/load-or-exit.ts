import { CardError } from '../card/card-error'
import { type Catalog, type CatalogFiles, loadCatalog } from './load-catalog'

/** Reads the catalog or leaves with status 78 (EX_CONFIG) and every slip on standard error. */
export function loadOrExit(files: CatalogFiles): Catalog {
  try {
    return loadCatalog(files)
  } catch (error) {
    if (!(error instanceof CardError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(78)
  }
}
