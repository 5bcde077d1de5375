import { connectPostgres } from '../database/postgres'
import { createOutbox } from '../outbox/outbox'
import { testLog } from '../testing'

/** A process of its own that commits events and is killed before it can publish them: `bun die-after-commit.ts URL TOPIC KEY TEXT…`. */
const [url = '', topic = '', key = '', ...texts] = process.argv.slice(2)
const sql = connectPostgres({ url, poolMax: 1, applicationName: 'test' })
const bus = { publish: async () => process.kill(process.pid, 'SIGKILL') as never }
const outbox = createOutbox({ sql, bus, log: testLog })
await outbox.transaction(async (_, send) => send(texts.map(text => ({ topic, key, value: new TextEncoder().encode(text) }))))
