import { Filmgate } from '@filmgate/client'
import type { Environment, Folders } from './config/folders'
import { type Given, readSettings, type Settings } from './config/settings'
import { wordsOf } from './terminal/explain'
import type { Failure } from './terminal/failure'
import { plain } from './terminal/plain'
import type { Terminal } from './terminal/terminal'

/** What every command has. */
export type Session = {
  terminal: Terminal
  environment: Environment
  folders: Folders
  given: Given
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** Says what Ctrl-C leaves behind from now on, and how to go on. It is called at most once, and must not wait. */
  onInterrupt(leave: () => Failure): void
}

/** The client for the key in force, and where it is from. */
export async function connect({ given, environment, folders, terminal }: Session): Promise<{ filmgate: Filmgate; settings: Settings }> {
  const settings = await readSettings(given, environment, folders)
  const filmgate = new Filmgate({
    apiKey: settings.key,
    baseUrl: settings.url,
    onRetry: ({ error, delayMs }) => terminal.note(`${plain(wordsOf(error))} Trying again in ${Math.ceil(delayMs / 1_000)} s.`),
  })
  return { filmgate, settings }
}
