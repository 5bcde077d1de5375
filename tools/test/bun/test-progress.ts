import { createWriteStream } from 'node:fs'
import { fileNamed } from './bun-test'

/** Lines that say nothing new: a test that passed at once, an empty line, bun's own name. */
const routine = /^(\(pass\)(?!.* \(attempt \d+\))|$|bun test v)/

/**
 * Shows how far the tests are: a line for each file as it begins, and what isn't routine. `logFile` keeps every line. `lane` gives the
 * taker of the lines of one run of bun; with several at once its name stands before each.
 */
export function startTestProgress(filesTotal: number, logFile: string, write: (line: string) => void = line => console.error(line)) {
  const began = performance.now()
  const begun = new Set<string>()
  const log = createWriteStream(logFile)

  const lane = (name: string) => (line: string) => {
    log.write(`${name}${line}\n`)
    const plain = Bun.stripANSI(line)
    const file = fileNamed(plain)
    if (file === undefined) {
      if (!routine.test(plain)) write(`${name}${line}`)
    } else if (!begun.has(file)) {
      begun.add(file)
      write(`${name}[${begun.size}/${filesTotal} ${clock(performance.now() - began)}] ${file}`)
    }
  }
  return { lane, end: () => new Promise<void>(resolve => log.end(resolve)) }
}

export type TestProgress = ReturnType<typeof startTestProgress>

const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1_000) % 60).padStart(2, '0')}`
