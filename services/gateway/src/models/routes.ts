import { answerRendered } from '@filmgate/kit/http/answer-rendered'
import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { oncePerCatalog, renderModels } from './render-models'

export type ModelsDeps = { currentCatalog(): Catalog }

/** GET /models: made once a catalog, answered from memory. */
export const models = (deps: ModelsDeps & AuthenticateDeps) => {
  const render = oncePerCatalog(renderModels)
  return new Elysia({ name: 'models', normalize: false }).use(authenticate(deps)).get('/models', function getModels({ request, set }) {
    return answerRendered(request, set, render(deps.currentCatalog()), 'application/json', 'private, no-cache')
  })
}
