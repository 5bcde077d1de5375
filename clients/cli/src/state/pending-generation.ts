import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Folders } from '../config/folders'
import { writePrivateFile } from '../config/private-file'
import { isRunning } from './process-start'

/**
 * A generation whose end this machine has not seen. It is written before the POST, so that a program that is killed at any
 * moment finds the task again by its Idempotency-Key and never pays twice.
 */
export type PendingGeneration = {
  idempotencyKey: string
  url: string
  /** The id of the API key: an Idempotency-Key means something within its own API key alone. */
  keyId: string
  /** The body of the POST, as it was sent. */
  request: Record<string, unknown>
  tags?: Record<string, string>
  cancelAfterSeconds?: number
  /** Where the video goes, an absolute path. */
  output?: string
  /** Whether a file there is replaced. */
  force?: boolean
  createdAt: string
  /** The process that waits for its end, while it runs. */
  pid: number
  /** When that process began, where this machine tells it: a later one may have its pid. */
  processStart?: string
  /** Known once the POST was answered. */
  taskId?: string
}

const folderOf = (folders: Folders) => join(folders.state, 'generations')
const keyForm = /^[a-zA-Z0-9._-]{1,160}$/
const fileOf = (folders: Folders, idempotencyKey: string) => join(folderOf(folders), `${idempotencyKey}.json`)

export const savePending = (folders: Folders, pending: PendingGeneration) =>
  writePrivateFile(fileOf(folders, pending.idempotencyKey), `${JSON.stringify(pending, null, 2)}\n`)

export const forgetPending = (folders: Folders, idempotencyKey: string) => rm(fileOf(folders, idempotencyKey), { force: true })

/** Those that no process waits for any more, oldest first. */
export const listAbandoned = async (folders: Folders) => (await listPending(folders)).filter(pending => !isHeld(pending))

/** Whether another process waits for its end. */
export const isHeld = ({ pid, processStart, createdAt }: PendingGeneration): boolean =>
  pid !== process.pid && isRunning(pid, processStart, createdAt)

/** All of them, oldest first. A file that is none of ours is left alone. */
export async function listPending(folders: Folders): Promise<PendingGeneration[]> {
  const names = await readdir(folderOf(folders)).catch(() => [])
  const found = await Promise.all(
    names.filter(name => name.endsWith('.json')).map(name => readPending(join(folderOf(folders), name)).catch(() => undefined)),
  )
  return found.flatMap(pending => pending ?? []).sort((one, other) => one.createdAt.localeCompare(other.createdAt))
}

async function readPending(path: string): Promise<PendingGeneration | undefined> {
  const read: unknown = JSON.parse(await readFile(path, 'utf8'))
  return isPending(read) && path.endsWith(`${read.idempotencyKey}.json`) ? read : undefined
}

function isPending(read: unknown): read is PendingGeneration {
  if (typeof read !== 'object' || read === null) return false
  const { idempotencyKey, url, keyId, request, createdAt, pid } = read as Record<string, unknown>
  const texts = [idempotencyKey, url, keyId, createdAt].every(value => typeof value === 'string')
  return (
    texts &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    keyForm.test(idempotencyKey as string) &&
    typeof request === 'object' &&
    request !== null
  )
}
