import { expect, test } from 'bun:test'
import { ownRoutes } from '../../config'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { connectMiniMax } from './connect-minimax'

test('MiniMax has a route for five of our models, after those of every other provider and before the simulator’s', () => {
  const file = readRoutes([ownRoutes])
  const provider = connectMiniMax({ url: 'http://127.0.0.1:1', key: 'unused', submitTimeoutMs: 1, readTimeoutMs: 1 })
  const routing = createRouting(file, [provider])
  const models = Object.keys(file.models).filter(model => routing.configuredRoutes(model).length > 0)
  expect(models.toSorted()).toEqual(['alpha-h3', 'alpha-h3-max', 'kappa-02', 'kappa-2.3', 'kappa-2.3-fast'])
  for (const model of models) expect(file.models[model]?.at(-1)?.provider).toBe('simulator')
})
