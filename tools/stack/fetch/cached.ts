import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../instance'

/**
 * A folder in .local/cache that is complete or absent: it is filled under another name and then renamed,
 * so interrupted or concurrent downloads leave no partial folder.
 */
export function cached(name: string, fill: (dir: string) => Promise<void>): Promise<string> {
  const dir = join(cacheDir, name)
  if (existsSync(dir)) return Promise.resolve(dir)
  const known = inProgress.get(name)
  if (known) return known
  const fetching = fetchAtomically(name, dir, fill).finally(() => inProgress.delete(name))
  inProgress.set(name, fetching)
  return fetching
}

/** Downloads in progress, shared by concurrent callers. */
const inProgress = new Map<string, Promise<string>>()

async function fetchAtomically(name: string, dir: string, fill: (dir: string) => Promise<void>): Promise<string> {
  removePartialDownloads(name)
  const partialDir = join(cacheDir, `.${name}-${process.pid}`)
  mkdirSync(partialDir, { recursive: true })
  try {
    await fill(partialDir)
    if (!existsSync(dir)) renameSync(partialDir, dir)
  } finally {
    rmSync(partialDir, { recursive: true, force: true })
  }
  return dir
}

/** Removes folders of killed downloads. */
function removePartialDownloads(name: string): void {
  if (!existsSync(cacheDir)) return
  for (const entry of readdirSync(cacheDir)) {
    if (!entry.startsWith(`.${name}-`)) continue
    const pid = Number(entry.slice(name.length + 2))
    if (!existsSync(`/proc/${pid}`)) rmSync(join(cacheDir, entry), { recursive: true, force: true })
  }
}
