import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Ports, portsFrom } from './ports'

export const root = resolve(import.meta.dir, '../..')
/** Downloads are shared by all instances. */
export const cacheDir = join(root, '.local/cache')

/** The user of the quick start's sign-in link. */
export const localUserEmail = 'dev@filmgate.localhost'

/** A stack: data, logs, secrets and ports. Instances are independent. */
export interface Instance {
  name: string
  dir: string
  portBase: number
  ports: Ports
  /** Relative to the root, because a socket path has at most 107 bytes. */
  controlSocket: string
  envFile: string
  pepper: string
  operatorToken: string
  /** Operators with their own tokens; empty until `ops operator create` adds one. */
  operatorsFile: string
  /** Operators of the console: the local user, and those who are added. */
  consoleOperatorsFile: string
  simulatorKey: string
  /** The console's token for the gateway's internal API. */
  consoleToken: string
  consoleSecret: string
  /** The secret of attempts' ids. */
  attemptSecret: string
  /** The gateway's token for the API of webhooks. */
  webhooksToken: string
  /** Encrypts the secrets of webhook endpoints. */
  webhooksSecretKey: string
}

/** What is needed to reach an instance's stack; creates nothing. */
export type StackAddress = Pick<Instance, 'name' | 'controlSocket'>
export const addressOf = (name: string): StackAddress => ({ name, controlSocket: join('.local', name, 'control.sock') })

/** The command with the option for this instance. */
export const commandFor = ({ name }: StackAddress, command: string): string => (name === 'dev' ? command : `${command} --instance ${name}`)

/** Opens an instance; creates missing folders and secrets. */
export function openInstance(name: string, portBase: number): Instance {
  const dir = join(root, '.local', name)
  mkdirSync(join(dir, 'logs'), { recursive: true })
  return {
    ...addressOf(name),
    dir,
    portBase,
    ports: portsFrom(portBase),
    // The quick start documents .local/filmgate.env; other instances keep theirs with their data.
    envFile: name === 'dev' ? join(root, '.local/filmgate.env') : join(dir, 'filmgate.env'),
    operatorsFile: keptFile(join(dir, 'operators.json'), { operators: [] }),
    consoleOperatorsFile: keptFile(join(dir, 'console-operators.json'), [{ email: localUserEmail, role: 'money' }]),
    ...secretsOf(dir),
  }
}

/** The console's token of an instance that has run here; undefined if none has. */
export function consoleTokenOf(name: string): string | undefined {
  const file = join(root, '.local', name, 'secrets.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>).consoleToken : undefined
}

/** Creates the file if it is missing. */
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
  webhooksToken: string
  webhooksSecretKey: string
}

/** Created once: a new pepper would invalidate all stored API keys. */
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
    webhooksToken: secret(),
    webhooksSecretKey: secret(),
  }
  const secrets = { ...made, ...kept }
  if (Object.keys(kept).length < Object.keys(made).length) writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

const secret = (): string => randomBytes(32).toString('base64url')
