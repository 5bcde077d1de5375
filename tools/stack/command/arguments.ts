import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StackFault } from '../fault'
import { portBaseDefault } from '../ports'
import { processVerbs } from './control'

const logLinesDefault = 50

export const stackUsage = `Usage: bun run stack up|down|status [options]
       bun run stack start|stop|restart|kill|pause|resume PART
       bun run stack logs [PART] [-f] [-n LINES]

  up        start the stack in the background and return when it is ready
  run       the same in the foreground
  down      stop it; the data is kept
  status    what runs, on which ports
  logs      the last lines of one part's log, or of all services' in the order of their times; -f shows what comes
  kill      kill -9 one part and leave it down until \`start\`
  pause     freeze one part (SIGSTOP) until \`resume\`
  PART      postgres kafka redis s3 gateway ledger catalog media-probe dispatcher simulator console webhooks

Options:
  --fresh           drop the data of earlier runs
  --only servers    the backing servers without the services
  --gateways N      several gateway processes (the second listens at base + 10)
  --instance NAME   a stack of its own under .local/NAME (default dev)
  --json            machine-readable status; log lines as they are written
  -f, --follow      (logs) go on with what comes, until Ctrl-C
  -n, --lines N     (logs) how many of the last lines (default ${logLinesDefault})
  FILMGATE_PORT_BASE=N   the first of the ports (default ${portBaseDefault})`

const flags = {
  follow: { type: 'boolean', short: 'f' },
  lines: { type: 'string', short: 'n' },
  instance: { type: 'string' },
  only: { type: 'string' },
  gateways: { type: 'string' },
  fresh: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export interface StackArguments {
  instance: string
  portBase: number
  only: 'servers' | 'all'
  fresh: boolean
  gateways: number
  json: boolean
  help: boolean
  follow: boolean
  lines: number
}

const stackVerbs: readonly string[] = ['up', 'run', 'down', 'status', 'logs']

/** `bun run stack …`: a verb and, for those that control one part, its name. */
export function parseStackArguments(args: string[]) {
  const { values, positionals } = readArguments({ args, allowPositionals: true, options: flags }, stackUsage)
  const [verb, name, ...more] = positionals
  const controlsProcess = processVerbs.some(each => each === verb)
  if (verb && !controlsProcess && !stackVerbs.includes(verb)) throw new StackFault(`There is no \`stack ${verb}\`.\n\n${stackUsage}`)
  const surplus = controlsProcess || verb === 'logs' ? more : positionals.slice(1)
  if (surplus.length) throw new StackFault(`\`stack ${verb}\` takes no such argument: ${surplus.join(' ')}\n\n${stackUsage}`)
  return { verb, name, options: stackOptions(values) }
}

/** `bun start …`: options only. */
export function parseStartArguments(args: string[], usage: string): StackArguments {
  return stackOptions(readArguments({ args, options: flags }, usage).values)
}

type Flags = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values']

function stackOptions(values: Flags): StackArguments {
  const gateways = Number(values.gateways ?? 1)
  if (!Number.isInteger(gateways) || gateways < 1 || gateways > 5) throw new StackFault('--gateways takes a whole number from 1 to 5.')
  if (values.only !== undefined && values.only !== 'servers') throw new StackFault('--only takes one value: servers.')
  const instance = values.instance ?? 'dev'
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(instance) || instance === 'cache')
    throw new StackFault('--instance takes a name of lower-case letters, digits and dashes.')
  return {
    instance,
    portBase: portBaseFrom(process.env.FILMGATE_PORT_BASE, portBaseDefault),
    only: values.only ?? 'all',
    fresh: values.fresh ?? false,
    gateways,
    json: values.json ?? false,
    help: values.help ?? false,
    follow: values.follow ?? false,
    lines: linesFrom(values.lines),
  }
}

function linesFrom(value: string | undefined): number {
  const lines = Number(value ?? logLinesDefault)
  if (!Number.isInteger(lines) || lines < 0 || lines > 1_000_000) throw new StackFault('--lines takes a whole number from 0 to 1000000.')
  return lines
}

/** `parseArgs` with errors as a message and the usage. */
export function readArguments<C extends ParseArgsConfig>(config: C, usage: string): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StackFault(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Throws for unknown names and lists the known ones. */
export function requireKnown(kind: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length) throw new StackFault(`There is no ${kind} ${unknown.join(', ')}; there are: ${known.join(', ')}`)
}

export function portBaseFrom(value: string | undefined, fallback: number): number {
  const base = value ? Number(value) : fallback
  if (!Number.isInteger(base) || base < 1024 || base > 65_000)
    throw new StackFault(`FILMGATE_PORT_BASE must be a whole number from 1024 to 65000, not "${value}".`)
  return base
}
