import { StackFault } from '../fault'
import { commandFault, type RunOptions, run } from './run'

/** A pinned version and its alternative. */
export interface Pinned {
  /** The package client's name for it, and the file that pins it. */
  pin: string
  pinnedIn: string
  instead: string
}

/** Messages of pip, Maven, npm, Bun and apt for unavailable versions. Unreachable registries report other messages. */
const notServed =
  /No matching distribution found|Could not find artifact|was not found in|status(?: code)?: 40[34]|\b40[34] (?:Client Error|Forbidden|Not Found)|E40[34]|ETARGET|No version matching| - 40[34]$|Unable to locate package|has no installation candidate/im

export const isNotServed = (output: string): boolean => notServed.test(output)

/** Runs a package client. If the version is no longer served, the error says what to do. */
export async function fetchPinned({ pin, pinnedIn, instead }: Pinned, command: string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await run(command, options)
  if (code === 0) return output
  if (isNotServed(output))
    throw new NotServed(`${pin} is not served any more: ${instead}, or pin another version in ${pinnedIn} and test it.`)
  throw commandFault(`Fetching ${pin}`, command, code, output)
}

/** Lets callers with a second source use it. */
export class NotServed extends StackFault {}
