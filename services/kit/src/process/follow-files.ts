import { readFileSync } from 'node:fs'

export type FollowFilesOptions = {
  /** Their paths, asked for at each look. Throws where a folder can't be read, which counts as a change. */
  files(): string[]
  /** Whether what they say now is in force already; otherwise the first look puts it in force. */
  inForce: boolean
  /** Reads them and puts what they say in force. Throws on a slip; what was in force then stays. */
  putInForce(): void
  /** Hears of a slip once, and again when its words change. */
  refused(error: unknown): void
}

export type FilesFollower = {
  look(): Promise<void>
  /** Whether the files as they are have a slip, so that what was before is in force. */
  faulty(): boolean
}

/**
 * Puts files in force whenever a look finds other bytes in them. A mounted folder changes by a link being swapped, which no watcher
 * reliably tells, so contents are compared. Files with a slip are judged again at each look: what they are judged by may change.
 */
export function followFiles({ files, inForce, putInForce, refused }: FollowFilesOptions): FilesFollower {
  let seen = inForce ? contents(files) : undefined
  let slip: string | undefined
  return {
    async look() {
      const now = contents(files)
      if (now === seen && slip === undefined) return
      const isNew = now !== seen
      seen = now
      try {
        putInForce()
        slip = undefined
      } catch (error) {
        const words = String(error)
        if (isNew || words !== slip) refused(error)
        slip = words
      }
    },
    faulty: () => slip !== undefined,
  }
}

/** As a digest: secrets are among them. A file that can't be read right now counts as empty. */
function contents(files: () => string[]): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of pathsOf(files)) hash.update(`${file}\0${textOf(file)}\0`)
  return hash.digest('hex')
}

function pathsOf(files: () => string[]): string[] {
  try {
    return files()
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
