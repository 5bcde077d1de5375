import { parseStartArguments } from './stack/command/arguments'
import { explain } from './stack/fault'
import { openInstance } from './stack/instance'
import { printQuickStart } from './stack/quick-start'
import { runStack } from './stack/run-stack'

const usage = `Usage: bun start [options]

Fetches what is missing, starts Postgres, Kafka, Redis, S3 and the services, opens an account with paid credits, and prints a
request to paste and the console's address. Ctrl-C stops all of it; the data stays for the next time.

Options:
  --fresh           drop the data of earlier runs
  --gateways N      several gateway processes (the second listens at base + 10)
  --instance NAME   a stack of its own under .local/NAME (default dev)
  FILMGATE_PORT_BASE=N   the first of the ports (default 4100)

Beside it: bun run stack status|restart|kill …   bun run ops --help   bun run test   bun run verify`

async function main(): Promise<number> {
  const options = parseStartArguments(process.argv.slice(2), usage)
  if (options.help) {
    console.log(usage)
    return 0
  }
  const instance = openInstance(options.instance, options.portBase)
  const code = await runStack(instance, { ...options, onReady: printQuickStart(instance, options.only) })
  // Ctrl-C is how this command is meant to end.
  return code === 130 ? 0 : code
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
