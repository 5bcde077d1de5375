import { open } from 'node:fs/promises'
import { integer, readVariables } from '../environment/variables'
import { configOrExit, runService } from '../process/run'
import { createLog } from '../telemetry/log'

/** A service of parts that say what happens to them: `bun run-a-service.ts [stuck|failing|throwing|rejecting|collected]`. */
const mode = process.argv[2]
configOrExit(() => readVariables(process.env, { port: ['RUN_PORT', integer({ fallback: 1 })] }))
const component = (name: string) => ({
  name,
  async stop() {
    console.log(`stopping ${name}`)
    if (mode === 'stuck' && name === 'second') await new Promise(() => setInterval(() => {}, 1_000))
    if (mode === 'failing' && name === 'second') throw new Error('no')
  },
})
await runService(
  createLog({ service: 'test', level: 'fatal' }),
  async () => {
    const forEver = setInterval(() => {}, 1_000)
    return [component('first'), component('second'), { name: 'clock', stop: async () => clearInterval(forEver) }]
  },
  500,
)
console.log('started')
if (mode === 'throwing') setTimeout(() => fault('thrown by nobody’s call'), 1)
if (mode === 'rejecting') void Promise.resolve().then(() => fault('awaited by nobody'))
if (mode === 'collected') {
  // The runtime closes a file handle that was forgotten, and throws from nobody's call.
  await forgetFile()
  setInterval(() => Bun.gc(true), 10)
}

async function forgetFile(): Promise<void> {
  await open(import.meta.path)
}

function fault(words: string): never {
  throw new Error(words)
}
