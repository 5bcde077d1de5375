import { createInterface } from 'node:readline/promises'

/** Whether somebody at the terminal says yes. Enter alone is no. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  // Without `terminal` no raw mode: Ctrl-C stays a signal of the process.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), closed(lines)])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

const closed = (lines: { once(event: 'close', listener: () => void): unknown }) =>
  new Promise<string>(resolve => {
    lines.once('close', () => resolve(''))
  })
