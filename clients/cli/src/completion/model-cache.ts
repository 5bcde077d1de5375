import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Folders } from '../config/folders'

const fileOf = (folders: Folders) => join(folders.cache, 'models.json')

/** Keeps the names of the models for completions, which never use the network. What fails here fails nothing. */
export async function saveModelIds(folders: Folders, models: { id: string }[]): Promise<void> {
  try {
    await mkdir(folders.cache, { recursive: true })
    await writeFile(fileOf(folders), JSON.stringify(models.map(({ id }) => id)))
  } catch {}
}

export async function readModelIds(folders: Folders): Promise<string[]> {
  try {
    const read: unknown = JSON.parse(await readFile(fileOf(folders), 'utf8'))
    return Array.isArray(read) ? read.filter((id): id is string => typeof id === 'string' && /^[\w.-]+$/.test(id)) : []
  } catch {
    return []
  }
}
