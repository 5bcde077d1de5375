import type { Program } from './programs'

/**
 * `namespace`: no network and a read-only file system. `network`: no network (no shell to mount with). `rlimits`:
 * limits only (no namespaces). Always: no new privileges, killed with us, no writes except to an inherited file.
 */
export const isolations = ['namespace', 'network', 'rlimits'] as const
export type Isolation = (typeof isolations)[number]

export type ChildLimits = { memoryBytesMax: number; cpuSecondsMax: number }

/** Address space beyond the memory limit: libraries, stacks, and reserved but unused memory. */
const reservedBytesMax = 2_147_483_648

/** Remounts the file system read-only. A folder that is a mount of its own (a volume) is remounted separately. */
const readOnlyFolder = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount -o remount,bind,ro / || exit 1; shift'
/** With an inherited file, every other mount becomes read-only too; some system mounts can't be changed. */
const readOnlyMounts = 'mount -a -o remount,bind,ro 2>/dev/null'
const readOnlyView = `${readOnlyFolder}; exec "$@"`
const readOnlyExceptInherited = `${readOnlyFolder}; ${readOnlyMounts}; exec "$@"`

/**
 * Wraps `command` in the sandbox. Each program in the chain execs the next, so one kill ends all.
 * `fileBytesMax` limits writes to an inherited file.
 */
export function sandboxed(isolation: Isolation, folder: string, limits: ChildLimits, command: string[], fileBytesMax = 0): string[] {
  const limited = [
    'setpriv' satisfies Program,
    '--pdeathsig=KILL',
    '--no-new-privs',
    // The first process of a namespace has all capabilities, enough to undo the read-only view.
    ...(isolation === 'rlimits' ? [] : ['--bounding-set=-all', '--inh-caps=-all']),
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
  ]
  if (isolation === 'rlimits') return limited
  const namespaced = ['unshare' satisfies Program, '--user', '--map-root-user', '--net', '--ipc']
  if (isolation === 'network') return [...namespaced, '--', ...limited]
  return [...namespaced, '--mount', '--', 'sh', '-c', fileBytesMax > 0 ? readOnlyExceptInherited : readOnlyView, 'sh', folder, ...limited]
}

/** The first of `wanted` that works on this platform, found by trying; strongest first. */
export async function findIsolation(folder: string, wanted: readonly Isolation[] = isolations): Promise<Isolation | undefined> {
  for (const isolation of wanted) {
    const command = sandboxed(isolation, folder, { memoryBytesMax: 2 ** 28, cpuSecondsMax: 5 }, ['true' satisfies Program])
    try {
      const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
      if ((await child.exited) === 0) return isolation
    } catch {
      // The program is missing; the next level may need less.
    }
  }
  return undefined
}
