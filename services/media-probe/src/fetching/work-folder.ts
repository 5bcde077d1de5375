import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of one run. */
export type RunFolder = {
  path: string
  /** Counts bytes that were written to it. */
  add(bytes: number): void
  /** Leaves nothing of it, on disk or in the count. */
  remove(): Promise<void>
}

/** Where downloads lie while they are measured and copied. Each process has a folder of its own in it, named by its pid. */
export type WorkFolder = {
  path: string
  open(name: string): Promise<RunFolder>
  /** Bytes of all downloads that lie here at this moment. */
  bytes(): number
  close(): Promise<void>
}

/** Takes its place under `root` and removes what dead processes left there. */
export async function openWorkFolder(root: string): Promise<WorkFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root)) {
    if (Number(name) === process.pid || !isRunning(Number(name))) await rm(join(root, name), { recursive: true, force: true })
  }
  const own = join(root, String(process.pid))
  await mkdir(own, { mode: 0o700 })
  let total = 0
  return {
    path: own,
    async open(name) {
      const path = join(own, name)
      await mkdir(path, { mode: 0o700 })
      let bytes = 0
      return {
        path,
        add(more) {
          bytes += more
          total += more
        },
        async remove() {
          await rm(path, { recursive: true, force: true })
          total -= bytes
          bytes = 0
        },
      }
    },
    bytes: () => total,
    close: () => rm(own, { recursive: true, force: true }),
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, but as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
