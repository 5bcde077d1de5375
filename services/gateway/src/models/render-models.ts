import { type Rendered, rendered } from '@filmgate/kit/http/rendered'
import type { Catalog } from '../catalog/catalog-table'
import { modelView } from './model-view'

/** The bytes of GET /models for this catalog. */
export function renderModels({ version, priceVersion, defaultModel, models }: Catalog): Rendered {
  const data = [...models.values()].map(({ card, available }) => modelView(card, card.model === defaultModel, available))
  return rendered(JSON.stringify({ object: 'list', version, price_version: priceVersion, data }))
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
