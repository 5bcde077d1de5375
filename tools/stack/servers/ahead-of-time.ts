import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPinnedJava } from '../fetch/java'
import { cacheDir } from '../instance'

/**
 * Java's ahead-of-time cache: the first run of a program writes it at its clean end, every later run starts from it in a third of
 * the time. It belongs to the jars and the runtime, which are pinned, so all instances share it.
 */
export function aotCache(program: string, java: string): { options: string[]; stopTimeoutMs: number; stopNotice?: string } {
  if (!isPinnedJava(java)) return { options: [], stopTimeoutMs: 20_000 }
  const file = join(cacheDir, `${program}.aot`)
  const quiet = ['-Xlog:aot=off', '-Xlog:cds=off']
  if (existsSync(file)) return { options: [`-XX:AOTCache=${file}`, ...quiet], stopTimeoutMs: 20_000 }
  // Of several stacks that a process raises at once, one writes it.
  if (written.has(file)) return { options: [], stopTimeoutMs: 20_000 }
  written.add(file)
  return {
    options: [`-XX:AOTCacheOutput=${file}`, ...quiet],
    stopTimeoutMs: writingTimeoutMs,
    stopNotice: 'writes its start-up cache, this once',
  }
}

const written = new Set<string>()

/** Six seconds on two idle cores; cut off, it would have to be done again. */
const writingTimeoutMs = 120_000
