import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of one run. */
export type RunFolder = {
  path: string
  /** Adds to the byte count. */
  add(bytes: number): void
  /** Deletes the folder and its byte count. */
  remove(): Promise<void>
}

/** Holds downloads while they are measured and copied. Each process has a subfolder named by its pid. */
export type WorkFolder = {
  path: string
  open(name: string): Promise<RunFolder>
  /** Current size of all downloads. */
  bytes(): number
  close(): Promise<void>
}

/** Creates this process's folder under `root` and removes those of dead processes. */
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
    // EPERM: the process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
