import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { CageOptions } from './cage/cage-options'
import { childPath, type Program } from './programs'

/**
 * `landlock`: a child reads only its folder and the system's programs. `seccomp`: where the kernel has no Landlock, it
 * reads what the service can, and a child that writes a copy can change that too. Both have no network and no other process.
 */
export const isolations = ['landlock', 'seccomp'] as const
export type Isolation = CageOptions['isolation']

export type ChildLimits = { memoryBytesMax: number; cpuSecondsMax: number }

/** Address space beyond the memory limit: libraries, stacks, and reserved but unused memory. */
const reservedBytesMax = 2_147_483_648

const cage = join(import.meta.dir, import.meta.path.endsWith('.ts') ? 'cage/cage.ts' : 'cage.js')
/** Programs, their libraries, and devices that hold nothing. */
const systemFiles = ['/usr', '/bin', '/lib', '/lib64', '/etc/ld.so.cache', '/dev/null', '/dev/zero', '/dev/urandom']

/**
 * Wraps `command` in the sandbox. Each program in the chain execs the next, so one kill ends all.
 * `fileBytesMax` limits writes to an inherited file.
 */
export function sandboxed(isolation: Isolation, folder: string, limits: ChildLimits, command: string[], fileBytesMax = 0): string[] {
  const options = { isolation, readable: [folder, ...foldersOf(command)], writesInherited: fileBytesMax > 0 }
  return caged(options, [
    'prlimit' satisfies Program,
    // Limits all writable memory, stacks and heaps.
    `--data=${limits.memoryBytesMax}`,
    `--as=${limits.memoryBytesMax + reservedBytesMax}`,
    `--cpu=${limits.cpuSecondsMax}`,
    `--fsize=${fileBytesMax}`,
    '--core=0',
    '--nofile=32',
    '--',
    ...command,
  ])
}

/** Wraps `command` in the cage alone, without limits. */
export const caged = ({ readable, ...options }: Omit<CageOptions, 'path'>, command: string[]): string[] => [
  process.execPath,
  cage,
  JSON.stringify({ ...options, readable: [...systemFiles, ...readable], path: childPath } satisfies CageOptions),
  ...command,
]

/** A program outside of the system's folders lies beside its libraries. */
const foldersOf = ([program = '']: string[]): string[] => (isAbsolute(program) ? [dirname(program), dirname(realpathSync(program))] : [])

/** The first of `wanted` in which `command` works on this platform, found by trying; strongest first. */
export async function findIsolation(
  folder: string,
  command: string[],
  wanted: readonly Isolation[] = isolations,
): Promise<Isolation | undefined> {
  for (const isolation of wanted) {
    const child = Bun.spawn(sandboxed(isolation, folder, { memoryBytesMax: 2 ** 28, cpuSecondsMax: 5 }, command), {
      stdio: ['ignore', 'ignore', 'ignore'],
      env: { PATH: childPath },
      cwd: '/',
    })
    if ((await child.exited) === 0) return isolation
  }
  return undefined
}
