import { createBus } from '@filmgate/kit/bus'
import { readConfig, url } from '@filmgate/kit/config'
import { pause } from '@filmgate/kit/deadline'
import { createLog } from '@filmgate/kit/log'
import { busVariables } from '@filmgate/kit/service-environment'
import { Elysia } from 'elysia'
import { createCatalogTable, followCatalog } from '../catalog/catalog-table'
import { authenticate } from '../keys/authenticate'
import { windowMs } from '../rate-limit/token'
import { createRedisStore } from '../rate-limit/tokens/redis-store'
import { connectRedis } from '../redis'
import { renderModels } from './render-models'
import { models } from './routes'

/**
 * For the bench: GET /models and, behind the same door (key and token bucket), GET /static, which answers with the same bytes and does
 * nothing else. Prints its port; lives until it is killed.
 */
const config = readConfig(process.env, { ...busVariables, redisUrl: ['REDIS_URL', url()] })
const log = createLog({ service: 'serve-for-bench', level: 'fatal' })
const bus = createBus({ ...config.kafka, clientId: 'serve-for-bench', log })
const table = createCatalogTable(log)
followCatalog(bus, config.topicPrefix, table)
while (!table.loaded()) await pause(50)

const rateLimit = 100_000_000
const redis = connectRedis(config.redisUrl, log)
while (redis.status !== 'ready') await pause(50)
const store = createRedisStore(redis, { limit: rateLimit, windowMs })
const name = crypto.randomUUID()
const round = { name, store: await store.watch(name), tellers: 1 }
await store.tell(round, 'bench', {})
const deps = {
  currentCatalog: table.current,
  findCaller: async () => ({ accountId: 'bench', keyId: 'bench' }),
  takeToken: (key: string) => store.take(round, key),
  takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
  clientAddress: () => '',
  rateLimit,
  addressRateLimit: rateLimit,
}
const { plain } = renderModels(table.current())
const fixed = new Elysia({ name: 'fixed', normalize: false }).use(authenticate(deps)).get('/static', () => new Response(plain, json))
const json = { headers: { 'content-type': 'application/json' } }
const app = new Elysia({ normalize: false }).use(models(deps)).use(fixed).listen({ port: 0 })
console.log(app.server?.port)
