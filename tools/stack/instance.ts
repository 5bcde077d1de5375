import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ports, portsFrom } from './ports'

export const root = resolve(import.meta.dir, '../..')
/** Downloads are shared by all instances; everything else is an instance's own. */
export const cacheDir = join(root, '.local/cache')

/** Who the newcomer of a local stack signs in as. */
export const localUserEmail = 'dev@filmgate.localhost'

/** One stack: its data, logs, secrets and ports. Two instances never touch each other. */
export interface Instance {
  name: string
  dir: string
  portBase: number
  ports: Ports
  /** Relative to the checkout's root, because a socket's path may have 107 bytes at most. */
  controlSocket: string
  envFile: string
  pepper: string
  operatorToken: string
  /** Operators with tokens of their own beside it; nobody until `ops operator create` adds one. */
  operatorsFile: string
  /** Who operates Filmgate on the console's pages: the newcomer, and whoever is added. */
  consoleOperatorsFile: string
  simulatorKey: string
  /** The console's at the gateway's door. */
  consoleToken: string
  consoleSecret: string
  /** What attempts' ids are made with. */
  attemptSecret: string
}

/** What it takes to speak to an instance's stack, which may never have been: makes nothing. */
export type StackAddress = Pick<Instance, 'name' | 'controlSocket'>
export const addressOf = (name: string): StackAddress => ({ name, controlSocket: join('.local', name, 'control.sock') })

/** `bun run stack down`, say, as it must be typed to mean this instance. */
export const commandFor = ({ name }: StackAddress, command: string): string => (name === 'dev' ? command : `${command} --instance ${name}`)

/** The instance with its folder and secrets, which are made where they are missing. */
export function openInstance(name: string, portBase: number): Instance {
  const dir = join(root, '.local', name)
  mkdirSync(join(dir, 'logs'), { recursive: true })
  return {
    ...addressOf(name),
    dir,
    portBase,
    ports: portsFrom(portBase),
    // The quick start promises .local/filmgate.env; other instances keep theirs beside their data.
    envFile: name === 'dev' ? join(root, '.local/filmgate.env') : join(dir, 'filmgate.env'),
    operatorsFile: keptFile(join(dir, 'operators.json'), { operators: [] }),
    consoleOperatorsFile: keptFile(join(dir, 'console-operators.json'), [{ email: localUserEmail, role: 'money' }]),
    ...secretsOf(dir),
  }
}

/** Made where it is missing; what stands in it stays. */
function keptFile(file: string, first: object): string {
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(first)}\n`, { mode: 0o600 })
  return file
}

interface Secrets {
  pepper: string
  operatorToken: string
  simulatorKey: string
  consoleToken: string
  consoleSecret: string
  attemptSecret: string
}

/** Made once and kept: a new pepper would turn every stored API key into a stranger. */
function secretsOf(dir: string): Secrets {
  const file = join(dir, 'secrets.json')
  const kept: Partial<Secrets> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const made: Secrets = {
    pepper: secret(),
    operatorToken: secret(),
    simulatorKey: secret(),
    consoleToken: secret(),
    consoleSecret: secret(),
    attemptSecret: secret(),
  }
  const secrets = { ...made, ...kept }
  if (Object.keys(kept).length < Object.keys(made).length) writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

const secret = (): string => randomBytes(32).toString('base64url')
