import type { Catalog } from '../catalog/catalog-table'
import { modelView } from './model-view'

/** An answer that stays the same until the catalog changes. Blobs, because the runtime sends them without copying them. */
export type Rendered = { plain: Blob; gzipped: Blob; etag: string }

/** The bytes of GET /models for this catalog. */
export function renderModels({ version, priceVersion, defaultModel, models }: Catalog): Rendered {
  const data = [...models.values()].map(({ card, available }) => modelView(card, card.model === defaultModel, available))
  return rendered(JSON.stringify({ object: 'list', version, price_version: priceVersion, data }))
}

export function rendered(text: string): Rendered {
  const bytes = new TextEncoder().encode(text)
  // Of the bytes and not of the catalog: another release may show the same catalog otherwise.
  return { plain: new Blob([bytes]), gzipped: new Blob([Bun.gzipSync(bytes)]), etag: `"${Bun.hash(bytes).toString(16)}"` }
}

/** Makes once what depends on the catalog and its offers alone. */
export function oncePerCatalog<T>(make: (catalog: Catalog) => T): (catalog: Catalog) => T {
  const made = new WeakMap<Catalog, T>()
  return catalog => {
    const known = made.get(catalog)
    if (known !== undefined) return known
    const fresh = make(catalog)
    made.set(catalog, fresh)
    return fresh
  }
}
