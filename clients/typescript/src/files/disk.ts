import { FilmgateError } from '../error.ts'

type FileSystem = typeof import('node:fs/promises')
type Builtins = { process?: { getBuiltinModule?(name: string): unknown } }

const builtin = (name: string): unknown => (globalThis as Builtins).process?.getBuiltinModule?.(name)

/** The file system of Node, Bun and Deno. Asked of the process, because bundlers for workers stumble over an import of it. */
export function fileSystem(): FileSystem {
  const found = builtin('node:fs/promises')
  if (found) return found as FileSystem
  const message = 'There are no files here (Node has them from 20.16). Take `response()` of a video, and give uploads a Blob.'
  throw new FilmgateError({ code: 'invalid_argument', message })
}

/** The folder that a file is in. */
export const folderOf = (path: string): string => (builtin('node:path') as typeof import('node:path')).dirname(path)

const typesByEnding: { [ending: string]: string } = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}

/** The media type that a file's name ends in; empty for an unknown one. */
export const typeOfName = (name: string): string => typesByEnding[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? ''

/** A file as a Blob with the type that its name ends in. Throws `invalid_argument` where it can't be read. */
export async function readFile(path: string): Promise<Blob> {
  const bytes = await fileSystem()
    .readFile(path)
    .catch((cause: unknown) => {
      const words = cause instanceof Error ? cause.message : String(cause)
      throw new FilmgateError({ code: 'invalid_argument', message: `The file ${JSON.stringify(path)} can't be read: ${words}.`, cause })
    })
  return new Blob([new Uint8Array(bytes)], { type: typeOfName(path) })
}
