import { integer, readConfig } from '../config'
import { createLog } from '../log'
import { configOrExit, runService } from '../run'

/** A service of parts that say what happens to them: `bun run-a-service.ts [stuck|failing]`. */
const mode = process.argv[2]
configOrExit(() => readConfig(process.env, { port: ['RUN_PORT', integer({ fallback: 1 })] }))
const part = (name: string) => ({
  name,
  async stop() {
    console.log(`stopping ${name}`)
    if (mode === 'stuck' && name === 'second') await new Promise(() => setInterval(() => {}, 1_000))
    if (mode === 'failing' && name === 'second') throw new Error('no')
  },
})
await runService(
  createLog({ service: 'test', level: 'silent' }),
  async () => {
    const forEver = setInterval(() => {}, 1_000)
    return [part('first'), part('second'), { name: 'clock', stop: async () => clearInterval(forEver) }]
  },
  500,
)
console.log('started')
