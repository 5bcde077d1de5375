import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exitCodes, Failure } from '../terminal/failure'
import type { Folders } from './folders'
import { writePrivateFile } from './private-file'

/** Who `filmgate login` signed in. `key` is a secret. */
export type Config = { url: string; key: string; account: string }

export const configPath = (folders: Folders) => join(folders.config, 'config.json')

/** The stored sign-in, or undefined where there is none. Throws a Failure for a file that cannot be read. */
export async function readConfig(folders: Folders): Promise<Config | undefined> {
  const path = configPath(folders)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, `can't be read (${code})`)
  }
  try {
    return parseConfig(text)
  } catch (error) {
    throw unreadable(path, (error as Error).message)
  }
}

export function parseConfig(text: string): Config {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new Error('is no JSON')
  }
  const { url, key, account } = (typeof read === 'object' && read !== null ? read : {}) as Record<string, unknown>
  if (typeof url !== 'string' || typeof key !== 'string') throw new Error('has no url and key')
  return { url, key, account: typeof account === 'string' ? account : '' }
}

export const writeConfig = (folders: Folders, config: Config) =>
  writePrivateFile(configPath(folders), `${JSON.stringify(config, null, 2)}\n`)

/** Forgets the sign-in; returns whether there was one. */
export async function deleteConfig(folders: Folders): Promise<boolean> {
  try {
    await rm(configPath(folders))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

const unreadable = (path: string, fault: string) =>
  new Failure(`${path} ${fault}.`, {
    exit: exitCodes.failed,
    code: 'config_unreadable',
    hints: ['Run `filmgate logout`, which deletes it, then `filmgate login`. Or correct it.'],
  })
