import { parseStackArguments, stackUsage } from './stack/arguments'
import { ask, askStatus } from './stack/control'
import { stackDown, stackUp } from './stack/detached'
import { explain, StackFault } from './stack/fault'
import { openInstance } from './stack/instance'
import { welcome } from './stack/quick-start'
import { raiseStack } from './stack/raise'
import { printStatus } from './stack/status'

/** `bun run stack …`: the stack in the background, and single parts of it. */
async function main(): Promise<number> {
  const { verb, name, options } = parseStackArguments(process.argv.slice(2))
  if (!verb || options.help) {
    console.log(stackUsage)
    return 0
  }
  const instance = openInstance(options.instance, options.portBase)
  if (verb === 'up') return stackUp(instance, options)
  if (verb === 'run') return raiseStack(instance, { ...options, welcome: welcome(instance, options.only) })
  if (verb === 'down') return stackDown(instance)
  if (verb === 'status') return printStatus(await askStatus(instance), options.json)
  if (!name) throw new StackFault(`Say which part: bun run stack ${verb} ledger`)
  const answer = await ask(instance, `/processes/${name}/${verb}`, 'POST').catch(() => {
    throw new StackFault(`No stack "${instance.name}" runs: start it with \`bun run stack up\`.`)
  })
  const body = (await answer.json()) as { error?: string; state?: string }
  if (body.error) throw new StackFault(body.error)
  console.log(`${name}: ${body.state}`)
  return 0
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
