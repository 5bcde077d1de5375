import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { portBaseFrom } from './stack/command/arguments'
import { explain } from './stack/fault'
import { openInstance, root } from './stack/instance'
import { suitePortBase } from './stack/ports'
import { printQuickStart } from './stack/quick-start'
import { type RunningStack, runStack } from './stack/run-stack'
import { applyStackSettings, wireEnv } from './test/environment'

const usage = 'Usage: bun tools/run.ts suite NAME [argument…]'
const explanation = `Raises a stack of its own with empty data and the settings of tests/NAME/stack.env, runs tests/NAME/run.ts against it with the
arguments, which tests/NAME/arguments.ts has read before, and stops everything. What tests/NAME/prepare.ts returns is in everyone's
environment. The suite writes .local/reports/NAME.json; its exit status is the command's.
  FILMGATE_PORT_BASE=N   the first of its ports (default ${suitePortBase})`

async function main(words: string[]): Promise<number> {
  const [name = '', ...suiteArguments] = words
  const call = await callOf(name)
  const help = words.includes('--help')
  if (!call || help) {
    console.log(`${call?.usage ?? usage}\n\n${explanation}`)
    return help ? 0 : 1
  }
  call.readCall(suiteArguments)
  const instance = openInstance(`suite-${name}`, portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase))
  applyStackSettings(join(root, 'tests', name, 'stack.env'))
  Object.assign(process.env, await prepared(name, instance.dir, suiteArguments))
  const work = async ({ supervisor, signal }: RunningStack) => {
    const child = Bun.spawn([process.execPath, join(root, 'tests', name, 'run.ts'), ...suiteArguments], {
      cwd: root,
      // A thousand clients at once are more than Bun's 256 requests of a process.
      env: { ...process.env, ...wireEnv(instance, supervisor.addresses), BUN_CONFIG_MAX_HTTP_REQUESTS: '4096' },
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      signal,
    })
    return child.exited
  }
  return runStack(instance, { only: 'all', fresh: true, gateways: call.gateways ?? 1, onReady: printQuickStart(instance, 'all'), work })
}

type Call = { usage: string; readCall(words: string[]): unknown; gateways?: number }

/** How a suite is called: a slip is refused before a stack is raised for it. Nothing for a name that is no suite's. */
async function callOf(name: string): Promise<Call | undefined> {
  const file = join(root, 'tests', name, 'arguments.ts')
  return existsSync(file) ? import(file) : undefined
}

/** A suite may need files to be there when the services start; it makes them in the instance's folder. */
async function prepared(name: string, folder: string, suiteArguments: string[]): Promise<Record<string, string>> {
  const file = join(root, 'tests', name, 'prepare.ts')
  if (!existsSync(file)) return {}
  const { default: prepare } = (await import(file)) as { default: Prepare }
  return prepare(folder, suiteArguments)
}

type Prepare = (folder: string, suiteArguments: string[]) => Record<string, string> | Promise<Record<string, string>>

process.exit(
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
