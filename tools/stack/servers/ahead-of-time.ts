import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPinnedJava } from '../fetch/java'
import { cacheDir } from '../instance'

/** One compiler and one thread to collect: in the minutes that a local stack runs the second compiler costs more than it saves. */
export const jvmOptions = (heapMebibytes: number): string[] => [`-Xmx${heapMebibytes}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/**
 * Java's ahead-of-time cache: the first run writes it at its clean end, and later runs start in a third of the time.
 * All instances share it, because jars and runtime are pinned.
 */
export function aotCache(program: string, java: string): { options: string[]; stopTimeoutMs: number; stopNotice?: string } {
  if (!isPinnedJava(java)) return { options: [], stopTimeoutMs: 20_000 }
  const file = join(cacheDir, `${program}.aot`)
  const quiet = ['-Xlog:aot=off', '-Xlog:cds=off']
  if (existsSync(file)) return { options: [`-XX:AOTCache=${file}`, ...quiet], stopTimeoutMs: 20_000 }
  // If a process runs several stacks, one writes it.
  if (written.has(file)) return { options: [], stopTimeoutMs: 20_000 }
  written.add(file)
  return {
    options: [`-XX:AOTCacheOutput=${file}`, ...quiet],
    stopTimeoutMs: writingTimeoutMs,
    stopNotice: 'writes its start-up cache, this once',
  }
}

const written = new Set<string>()

/** Takes 6 s on two idle cores; if interrupted, it must be repeated. */
const writingTimeoutMs = 120_000
