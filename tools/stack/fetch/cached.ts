import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../instance'

/**
 * A folder under .local/cache that is either whole or not there: it is filled under another name and then moved into place, so a
 * broken download, a Ctrl-C or a second stack fetching the same thing never leaves half of it.
 */
export async function cached(name: string, fill: (dir: string) => Promise<void>): Promise<string> {
  const dir = join(cacheDir, name)
  if (existsSync(dir)) return dir
  dropHalves(name)
  const filling = join(cacheDir, `.${name}-${process.pid}`)
  mkdirSync(filling, { recursive: true })
  try {
    await fill(filling)
    if (!existsSync(dir)) renameSync(filling, dir)
  } finally {
    rmSync(filling, { recursive: true, force: true })
  }
  return dir
}

/** What a fetch left that was killed half-way. */
function dropHalves(name: string): void {
  if (!existsSync(cacheDir)) return
  for (const entry of readdirSync(cacheDir)) {
    if (!entry.startsWith(`.${name}-`)) continue
    const pid = Number(entry.slice(name.length + 2))
    if (!existsSync(`/proc/${pid}`)) rmSync(join(cacheDir, entry), { recursive: true, force: true })
  }
}
