import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../instance'

/**
 * A folder under .local/cache that is either whole or not there: it is filled under another name and then moved into place, so a
 * broken download, a Ctrl-C or a second stack fetching the same thing never leaves half of it.
 */
export function cached(name: string, fill: (dir: string) => Promise<void>): Promise<string> {
  const dir = join(cacheDir, name)
  if (existsSync(dir)) return Promise.resolve(dir)
  const known = underWay.get(name)
  if (known) return known
  const fetching = fetchWhole(name, dir, fill).finally(() => underWay.delete(name))
  underWay.set(name, fetching)
  return fetching
}

/** What this process fetches at the moment: two who need the same thing share it. */
const underWay = new Map<string, Promise<string>>()

async function fetchWhole(name: string, dir: string, fill: (dir: string) => Promise<void>): Promise<string> {
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
