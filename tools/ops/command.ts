import type { Command } from 'commander'
import type { Call } from './operator-api'
import type { BrokerSettings, LocalConsole } from './settings'

/** What every command takes. */
export type Options = { json?: boolean; instance: string; by?: string }
export type Work = (context: {
  call: Call
  broker: () => BrokerSettings
  localConsole: () => LocalConsole
  by: () => Promise<string>
}) => Promise<unknown>
/** Does the work and shows its answer. */
export type Perform = (options: Options, work: Work) => Promise<void>
/** The signal of the first Ctrl-C; a second one kills. */
export function interrupted(): AbortSignal {
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  return interrupt.signal
}

/** A further command of a group of them. */
export type Group = (verb: string, description: string) => Command
