import { homedir } from 'node:os'
import { join } from 'node:path'

export type Environment = Record<string, string | undefined>

/** Where the program keeps its files, by the XDG base directory specification. Relative paths there are ignored, as it says. */
export type Folders = { config: string; state: string; cache: string }

export function foldersOf(environment: Environment, home = homedir()): Folders {
  const folder = (variable: string, fallback: string) => {
    const base = environment[variable]
    return join(base?.startsWith('/') || /^[A-Za-z]:[\\/]/.test(base ?? '') ? (base as string) : join(home, fallback), 'filmgate')
  }
  return {
    config: folder('XDG_CONFIG_HOME', '.config'),
    state: folder('XDG_STATE_HOME', join('.local', 'state')),
    cache: folder('XDG_CACHE_HOME', '.cache'),
  }
}
