import { createWriteStream } from 'node:fs'
import { fileNamed } from './bun-test'

/** Lines without news: a passed test, an empty line, bun's version. */
const routine = /^(\(pass\)|$|bun test v)/

/**
 * Prints each file as it starts and unusual lines. `logFile` gets all lines.
 * `lane` returns the line handler of one run of bun, whose name prefixes its lines.
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
