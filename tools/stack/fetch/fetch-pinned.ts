import { StackFault } from '../fault'
import { commandFault, type RunOptions, run } from './run'

/** A pinned version of something, and what else does its work. */
export interface Pinned {
  /** As its package client names it, and the file that pins it. */
  pin: string
  pinnedIn: string
  instead: string
}

/** The words of pip, Maven, npm, Bun and apt for a version that nobody hands out. A registry that can't be reached speaks otherwise. */
const notServed =
  /No matching distribution found|Could not find artifact|was not found in|status(?: code)?: 40[34]|\b40[34] (?:Client Error|Forbidden|Not Found)|E40[34]|ETARGET|No version matching| - 40[34]$|Unable to locate package|has no installation candidate/im

export const isNotServed = (output: string): boolean => notServed.test(output)

/** Runs a package client; a version that is no longer served is told in one sentence, with what to do about it. */
export async function fetchPinned({ pin, pinnedIn, instead }: Pinned, command: string[], options: RunOptions = {}): Promise<string> {
  const { code, output } = await run(command, options)
  if (code === 0) return output
  if (isNotServed(output))
    throw new NotServed(`${pin} is not served any more: ${instead}, or pin another version in ${pinnedIn} and test it.`)
  throw commandFault(`Fetching ${pin}`, command, code, output)
}

/** So that a caller with a second source knows when to turn to it. */
export class NotServed extends StackFault {}
