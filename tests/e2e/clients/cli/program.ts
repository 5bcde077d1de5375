import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { settings } from '../../../support/settings'

export const sources = resolve(import.meta.dir, '../../../../clients/cli/src')
export const program = [process.execPath, join(sources, 'main.ts')]

type Options = {
  /** Instead of the program in Bun. */
  command?: string[]
  url?: string
  environment?: Record<string, string>
  stdin?: string
}

export type Ended = { exit: number; out: string; err: string }
export type Home = ReturnType<typeof newHome>

/** A machine of somebody: folders of their own, in which the program runs with this key, or with none. */
export function newHome(apiKey?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-cli-'))
  const environmentOf = ({ url = settings.url, environment = {} }: Options) => ({
    PATH: process.env.PATH,
    HOME: folder,
    FILMGATE_URL: url,
    ...(apiKey !== undefined && { FILMGATE_API_KEY: apiKey }),
    ...environment,
  })
  const start = (words: string[], options: Options = {}) =>
    Bun.spawn([...(options.command ?? program), ...words], {
      cwd: folder,
      env: environmentOf(options),
      stdin: options.stdin === undefined ? 'ignore' : new Blob([options.stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
  return {
    folder,
    path: (name: string) => join(folder, name),
    start,
    async run(words: string[], options: Options = {}): Promise<Ended> {
      const child = start(words, options)
      const [out, err, exit] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return { exit, out, err }
    },
    /** The program in a terminal, with everything that it wrote there. */
    startInTerminal(words: string[], options: Options = {}) {
      let screen = ''
      const decoder = new TextDecoder()
      const child = Bun.spawn([...(options.command ?? program), ...words], {
        cwd: folder,
        env: { ...environmentOf(options), TERM: 'xterm' },
        terminal: {
          cols: 100,
          rows: 30,
          data: (_terminal, bytes) => {
            screen += decoder.decode(bytes, { stream: true })
          },
        },
      })
      return { child, screen: () => screen, type: (text: string) => child.terminal?.write(text) }
    },
    /** The generations whose end this home has not seen. */
    pending: (): string[] => {
      const state = join(folder, '.local/state/filmgate/generations')
      return existsSync(state) ? readdirSync(state).filter(name => name.endsWith('.json')) : []
    },
  }
}

/** The result of a call with --json; fails where stdout has anything else. */
export const jsonOf = ({ out, err }: Ended): Record<string, unknown> => {
  try {
    return JSON.parse(out)
  } catch {
    throw new Error(`stdout is no JSON: ${out.slice(0, 200)} … ${out.slice(-200)}\nstderr: ${err}`)
  }
}

/** Reads what a program writes to a stream, and waits for words in it. */
export function listenTo(stream: ReadableStream<Uint8Array>) {
  let output = ''
  const listeners = new Set<() => void>()
  const all = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      output += decoder.decode(bytes, { stream: true })
      for (const notify of listeners) notify()
    }
    for (const notify of listeners) notify()
    return output
  })()
  return {
    /** All of it, once the program has ended. */
    all,
    /** What it wrote once `words` are in it; fails where the program ends before. */
    async until(words: string): Promise<string> {
      const ended = all.then(() => true)
      while (!output.includes(words)) {
        const more = new Promise<boolean>(resolve => listeners.add(() => resolve(false)))
        if ((await Promise.race([more, ended])) && !output.includes(words)) throw new Error(`ended without saying ${words}: ${output}`)
      }
      return output
    },
  }
}
