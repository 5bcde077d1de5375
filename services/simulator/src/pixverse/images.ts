import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Images that were uploaded, each under a number. They outlive a restart, and go with the simulator's retention. */
export type Images = {
  keep(file: { bytes: Uint8Array; contentType: string }): number
  find(id: number): { path: string; contentType: string } | undefined
  /** Deletes what is past its time. */
  sweep(): void
}

/** Beyond 32 bits, as PixVerse's are. */
const firstId = 343_252_978_600_000

export function openImages({ dir, now, keptMsMax }: { dir: string; now: () => number; keptMsMax: number }): Images {
  mkdirSync(dir, { recursive: true })
  const pathOf = (id: number) => join(dir, String(id))
  return {
    keep({ bytes, contentType }) {
      const id = firstId + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
      writeFileSync(pathOf(id), bytes)
      writeFileSync(`${pathOf(id)}.type`, contentType)
      return id
    },
    find(id) {
      const path = pathOf(id)
      return existsSync(`${path}.type`) ? { path, contentType: readFileSync(`${path}.type`, 'utf8') } : undefined
    },
    sweep() {
      for (const file of readdirSync(dir)) {
        const path = join(dir, file)
        if (statSync(path).mtimeMs < now() - keptMsMax) rmSync(path, { force: true })
      }
    },
  }
}
