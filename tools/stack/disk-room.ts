import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from './fault'
import { cacheDir, type Instance } from './instance'

const mebibyte = 1_048_576
/** Measured: the downloads and Java's caches of them take 350 MB, a young stack's data 100 MB. */
const firstTimeBytes = 900 * mebibyte
const laterBytes = 300 * mebibyte

/** Looked at beforehand, because a database that meets a full disk says so in twenty lines of its own. */
export function needDiskRoom({ dir }: Instance): void {
  const { bavail, bsize } = statfsSync(dir)
  const needed = existsSync(join(cacheDir, 'kafka.aot')) ? laterBytes : firstTimeBytes
  const free = bavail * bsize
  if (free >= needed) return
  throw new StackFault(
    `The disk is nearly full: the stack needs ${needed / mebibyte} MB in ${dir} and ${Math.floor(free / mebibyte)} MB are free; make room and run the command again.`,
  )
}
