#!/usr/bin/env node
import { CommanderError } from 'commander'
import { foldersOf } from './config/folders'
import { createProgram } from './program'
import { report } from './terminal/explain'
import { exitCodes, Failure, usageFailure } from './terminal/failure'
import { createTerminal } from './terminal/terminal'

const json = process.argv.includes('--json')
let written = Promise.resolve()
const stdout = {
  isTTY: process.stdout.isTTY,
  write: (text: string) => {
    written = new Promise(resolve => process.stdout.write(text, () => resolve()))
  },
}
const terminal = createTerminal({ stdin: process.stdin, stdout, stderr: process.stderr }, process.env, json)
const interrupt = new AbortController()
let leave = () => new Failure('Interrupted.', { exit: exitCodes.interrupted, code: 'interrupted' })

// Whoever read the result has read enough. Words that nobody hears any more end nothing.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? exitCodes.ok : exitCodes.failed))
process.stderr.on('error', () => {})

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
for (const [name, code] of Object.entries(signals))
  process.once(name, () => {
    // Behind the terminal's own ^C.
    if (terminal.canRedraw) terminal.note('')
    report(terminal, leave())
    interrupt.abort()
    end(code)
  })

const program = createProgram(({ url, key }) => ({
  terminal,
  environment: process.env,
  folders: foldersOf(process.env),
  given: { url, key },
  signal: interrupt.signal,
  onInterrupt: next => {
    leave = next
  },
}))

try {
  await program.parseAsync()
  end(exitCodes.ok)
} catch (error) {
  if (interrupt.signal.aborted) await new Promise(() => {})
  end(error instanceof CommanderError ? usageExit(error) : report(terminal, error))
}

/** Commander has said what is wrong; help and the version are no failures. */
function usageExit({ exitCode, message }: CommanderError): number {
  if (exitCode === 0) return exitCodes.ok
  terminal.printJson({ error: { code: 'usage', message: usageFailure(message).message } })
  return exitCodes.usage
}

/** Ends once stdout has taken what was written last: a pipe may be full. */
function end(code: number): void {
  void written.then(() => process.exit(code))
}
