import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What was said when an upload was asked for; kept beside its bytes, so that both outlive a restart. */
export type FalFile = { contentType: string; name: string; expiresAt: number }

/**
 * fal's storage of inputs: fal.ai/docs/documentation/model-apis/fal-cdn, as @fal-ai/client 1.10.1 drives it (src/storage.js). An upload is
 * asked for, its bytes are PUT to the address that was given, and from then on the file can be read by anybody who knows its address.
 */
export type FalStorage = {
  /** The id of a file that may be uploaded. */
  open(file: { contentType: string; name: string; keptSeconds: number | undefined }): string
  /** `part`: where its bytes are while they come. */
  find(id: string): (FalFile & { path: string; part: string; isThere: boolean }) | undefined
  /** Deletes what is past its time. */
  sweep(): void
}

const idForm = /^[0-9a-f-]{36}$/

export function openFalStorage({ dir, now, keptMsMax }: { dir: string; now: () => number; keptMsMax: number }): FalStorage {
  mkdirSync(dir, { recursive: true })
  const pathOf = (id: string) => join(dir, id)
  const saidOf = (id: string) => `${pathOf(id)}.json`
  const partOf = (id: string) => `${pathOf(id)}.part`
  function find(id: string) {
    if (!idForm.test(id) || !existsSync(saidOf(id))) return undefined
    const file: FalFile = JSON.parse(readFileSync(saidOf(id), 'utf8'))
    return file.expiresAt > now() ? { ...file, path: pathOf(id), part: partOf(id), isThere: existsSync(pathOf(id)) } : undefined
  }
  return {
    find,
    open({ contentType, name, keptSeconds }) {
      const id = crypto.randomUUID()
      const expiresAt = now() + Math.min(keptMsMax, (keptSeconds ?? Number.POSITIVE_INFINITY) * 1_000)
      writeFileSync(saidOf(id), JSON.stringify({ contentType, name, expiresAt } satisfies FalFile))
      return id
    },
    sweep() {
      const ids = new Set(readdirSync(dir).map(file => file.slice(0, 36)))
      for (const id of ids) if (!find(id)) for (const path of [pathOf(id), partOf(id), saidOf(id)]) rmSync(path, { force: true })
    },
  }
}
