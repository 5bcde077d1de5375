import { parseStackArguments, stackUsage } from './stack/command/arguments'
import { callControl, fetchStatus, printStatus } from './stack/command/control'
import { stackDown, stackUp } from './stack/command/detached'
import { showLogs } from './stack/command/logs'
import { explain, StackFault } from './stack/fault'
import { addressOf, commandFor, openInstance } from './stack/instance'
import { printQuickStart } from './stack/quick-start'
import { runStack } from './stack/run-stack'

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
    return runStack(instance, { ...options, onReady: printQuickStart(instance, options.only) })
  }
  const address = addressOf(options.instance)
  if (verb === 'logs') return showLogs(address, { ...options, name })
  if (verb === 'down') return stackDown(address)
  if (verb === 'status') return printStatus(address, await fetchStatus(address), options.json)
  if (!name) throw new StackFault(`Say which part: bun run stack ${verb} ledger`)
  const answer = await callControl(address, `/processes/${name}/${verb}`, 'POST').catch(() => {
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
