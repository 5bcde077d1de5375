import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from '../instance'

/**
 * Java's ahead-of-time cache: the first run of a program writes it at its clean end, every later run starts from it in a third of
 * the time. It belongs to the jars and the runtime, which are pinned, so all instances share it.
 */
export function aheadOfTime(program: string): string[] {
  const file = join(cacheDir, `${program}.aot`)
  if (existsSync(file)) return [`-XX:AOTCache=${file}`, '-Xlog:aot=off', '-Xlog:cds=off']
  return [`-XX:AOTCacheOutput=${file}`, '-Xlog:aot=off', '-Xlog:cds=off']
}
