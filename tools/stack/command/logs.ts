import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from '../fault'
import { commandFor, root, type StackAddress } from '../instance'
import { readableLine } from './readable-line'

export type LogOptions = { name?: string | undefined; follow: boolean; lines: number; json: boolean }

const pollEveryMs = 200
/** Maximum bytes of a tail. */
const tailBytesMax = 4 * 1_048_576

type LogFile = { name: string; path: string; readBytes: number; rest: string }

/** Prints the last lines of a part's log, or of all JSON logs by time; `follow` continues with new lines. */
export async function showLogs(address: StackAddress, { name, follow, lines, json }: LogOptions): Promise<number> {
  const files = logFiles(address, name)
  const width = name ? 0 : Math.max(...files.map(file => file.name.length)) + 2
  const show = (file: LogFile, line: string) => console.log(`${file.name.padEnd(width).slice(0, width)}${json ? line : readableLine(line)}`)
  const tails = files.flatMap(file => newLines(file, tailBytesMax).map(line => ({ file, line, time: timeOf(line) })))
  const inOrder = name ? tails : tails.toSorted((a, b) => (a.time < b.time ? -1 : 1))
  for (const { file, line } of inOrder.slice(-lines)) show(file, line)
  while (follow) {
    await Bun.sleep(pollEveryMs)
    for (const file of files) for (const line of newLines(file, Number.POSITIVE_INFINITY)) show(file, line)
  }
  return 0
}

/** The servers' logs are not JSON, so they are shown only by name. */
const servers = ['postgres', 'kafka', 'redis', 's3', 'stack']

function logFiles(address: StackAddress, name: string | undefined): LogFile[] {
  const folder = join(root, '.local', address.name, 'logs')
  const known = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.log')) : []
  const names = known.map(file => file.replace(/\.log$/, '')).toSorted()
  if (names.length === 0)
    throw new StackFault(`No stack "${address.name}" has run here: start it with \`${commandFor(address, 'bun run stack up')}\`.`)
  if (name && !names.includes(name)) throw new StackFault(`There is no log of ${name}; there are: ${names.join(', ')}`)
  const wanted = name ? [name] : names.filter(each => !servers.includes(each))
  return wanted.map(each => ({ name: each, path: join(folder, `${each}.log`), readBytes: 0, rest: '' }))
}

/** Complete lines since the last call, from at most the last `bytesMax`. A file that shrank was replaced. */
function newLines(file: LogFile, bytesMax: number): string[] {
  const size = existsSync(file.path) ? statSync(file.path).size : 0
  if (size < file.readBytes) file.readBytes = 0
  const from = Math.max(file.readBytes, size - bytesMax)
  if (from >= size) return []
  const bytes = Buffer.alloc(size - from)
  const handle = openSync(file.path, 'r')
  readSync(handle, bytes, 0, bytes.length, from)
  closeSync(handle)
  file.readBytes = size
  const lines = (file.rest + bytes.toString()).split('\n')
  file.rest = lines.pop() ?? ''
  return lines.filter(Boolean)
}

const timeOf = (line: string): string => /"time":"([^"]+)"/.exec(line)?.[1] ?? ''
