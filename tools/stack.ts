import { parseStackArguments, stackUsage } from './stack/command/arguments'
import { ask, askStatus } from './stack/command/control'
import { stackDown, stackUp } from './stack/command/detached'
import { showLogs } from './stack/command/logs'
import { printStatus } from './stack/command/status'
import { explain, StackFault } from './stack/fault'
import { addressOf, commandFor, openInstance } from './stack/instance'
import { welcome } from './stack/quick-start'
import { raiseStack } from './stack/raise'

/** `bun run stack …`: the stack in the background, and single parts of it. */
async function main(): Promise<number> {
  const { verb, name, options } = parseStackArguments(process.argv.slice(2))
  if (!verb || options.help) {
    console.log(stackUsage)
    return 0
  }
  if (verb === 'up' || verb === 'run') {
    const instance = openInstance(options.instance, options.portBase)
    if (verb === 'up') return stackUp(instance, options)
    return raiseStack(instance, { ...options, welcome: welcome(instance, options.only) })
  }
  const address = addressOf(options.instance)
  if (verb === 'logs') return showLogs(address, { ...options, name })
  if (verb === 'down') return stackDown(address)
  if (verb === 'status') return printStatus(address, await askStatus(address), options.json)
  if (!name) throw new StackFault(`Say which part: bun run stack ${verb} ledger`)
  const answer = await ask(address, `/processes/${name}/${verb}`, 'POST').catch(() => {
    throw new StackFault(`No stack "${address.name}" runs: start it with \`${commandFor(address, 'bun run stack up')}\`.`)
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
