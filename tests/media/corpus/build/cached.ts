import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dir, '../../../../.local/cache/media-corpus')
const making = new Map<string, Promise<string>>()

/** Two encoders at once: more than the cores only take memory. */
const placesMax = 2
let taken = 0
const waiting: (() => void)[] = []

/** What a tool makes of these words is made once; `{}` stands for the path that it writes to. */
export function made(extension: string, command: string[]): Promise<string> {
  const key = createHash('sha256').update(JSON.stringify(command)).digest('hex').slice(0, 24)
  const path = join(folder, `${key}.${extension}`)
  const known = making.get(path) ?? (existsSync(path) ? Promise.resolve(path) : makeOne(path, command))
  making.set(path, known)
  return known
}

export const ffmpeg = (extension: string, options: string[]) =>
  made(extension, ['ffmpeg', '-nostdin', '-v', 'error', '-y', ...options, '{}'])

export const readMade = async (path: Promise<string>) => readFile(await path)

async function makeOne(path: string, command: string[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  if (taken >= placesMax) await new Promise<void>(resolve => waiting.push(resolve))
  else taken += 1
  const dot = path.lastIndexOf('.')
  const draft = `${path.slice(0, dot)}-${randomUUID().slice(0, 8)}${path.slice(dot)}`
  try {
    const child = Bun.spawn(
      command.map(word => word.replaceAll('{}', draft)),
      { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    )
    const complaint = await new Response(child.stderr).text()
    if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${complaint.slice(0, 500)}`)
    await rename(draft, path)
    return path
  } finally {
    await rm(draft, { force: true })
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
}
