import { createBus } from '@filmgate/kit/bus/bus'
import { pause } from '@filmgate/kit/deadline'
import { busVariables } from '@filmgate/kit/environment/service-environment'
import { readVariables, url } from '@filmgate/kit/environment/variables'
import { createLog } from '@filmgate/kit/telemetry/log'
import { Elysia } from 'elysia'
import { createCatalogTable } from '../src/catalog/catalog-table'
import { followCatalog } from '../src/catalog/follow-catalog'
import { authenticate } from '../src/keys/authenticate'
import { renderModels } from '../src/models/render-models'
import { models } from '../src/models/routes'
import { createKeyBucket } from '../src/rate-limit/key-bucket'
import { createAskRedis } from '../src/redis/ask-redis'
import { connectRedis } from '../src/redis/connect-redis'

/**
 * For the bench: GET /models and, behind the same checks (key and token bucket), GET /static, which answers with the same bytes and does
 * nothing else. Prints its port; lives until it is killed.
 */
const config = readVariables(process.env, { ...busVariables, redisUrl: ['REDIS_URL', url()] })
const log = createLog({ service: 'serve-models', level: 'fatal' })
const bus = createBus({ ...config.kafka, clientId: 'serve-models', log })
const table = createCatalogTable(log)
followCatalog(bus, config.topicPrefix, table)
while (!table.loaded()) await pause(50)

const rateLimit = 100_000_000
const redis = connectRedis(config.redisUrl, log)
while (redis.status !== 'ready') await pause(50)
const deps = {
  currentCatalog: table.current,
  findCaller: async () => ({ accountId: 'bench', keyId: 'bench' }),
  takeToken: createKeyBucket({ redis, askRedis: createAskRedis(), log, limit: rateLimit, replicasMax: 1 }),
  takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
  giveAddressTokenBack: () => {},
  clientAddress: () => '',
  rateLimit,
  addressRateLimit: rateLimit,
}
const { plain } = renderModels(table.current())
const fixed = new Elysia({ name: 'fixed', normalize: false }).use(authenticate(deps)).get('/static', () => new Response(plain, json))
const json = { headers: { 'content-type': 'application/json' } }
const app = new Elysia({ normalize: false }).use(models(deps)).use(fixed).listen({ port: 0 })
console.log(app.server?.port)
