import { type Command, InvalidArgumentError } from 'commander'
import type { Given } from '../config/settings'
import type { Session } from '../session'

export type GlobalOptions = Given & { json?: boolean }
/** Makes an action of a command: it gets a session for the options that every command has, then its own arguments and options. */
export type Run = <Arguments extends unknown[]>(
  work: (session: Session, ...given: Arguments) => Promise<void>,
) => (...given: [...Arguments, Command]) => Promise<void>

export const runWith =
  (open: (options: GlobalOptions) => Session): Run =>
  work =>
  async (...given) => {
    const command = given.at(-1) as Command
    await work(open(command.optsWithGlobals<GlobalOptions>()), ...(given.slice(0, -1) as never))
  }

/** Of an option: a whole number of at least `minimum`. */
export const wholeNumber =
  (minimum = 0) =>
  (text: string): number => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(value) && value >= minimum) return value
    throw new InvalidArgumentError(`It is a whole number of at least ${minimum}.`)
  }

/** Of an option that may be repeated. */
export const repeated = (text: string, sofar: string[] = []): string[] => [...sofar, text]
export const repeatedNumber = (text: string, sofar: number[] = []): number[] => [...sofar, wholeNumber(1)(text)]
