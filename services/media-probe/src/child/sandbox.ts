import type { Program } from './programs'

/**
 * What keeps a child apart. `namespace`: no network and a read-only view of the disk, by namespaces of its own. `network`: the same
 * without the view, where there is no shell to mount it with. `rlimits`: limits alone,
 * where the platform grants no namespace. Everywhere: no new privileges, dies with us, and no write of a single byte, but for the one child
 * that is handed a file for its copy.
 */
export const isolations = ['namespace', 'network', 'rlimits'] as const
export type Isolation = (typeof isolations)[number]

export type ChildLimits = { memoryBytesMax: number; cpuSecondsMax: number }

/** What a child may map beyond its memory: libraries, stacks, and what an allocator reserves and doesn't touch. */
const reservedBytesMax = 2_147_483_648

/** Remounts what the child can see read-only; a folder that is a mount of its own (a volume) is remounted by itself. */
const readOnlyFolder = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount -o remount,bind,ro / || exit 1; shift'
/** A child that may write to the file it is handed finds every other mount read-only too; some are the system's and can't be touched. */
const readOnlyMounts = 'mount -a -o remount,bind,ro 2>/dev/null'
const readOnlyView = `${readOnlyFolder}; exec "$@"`
const readOnlyExceptInherited = `${readOnlyFolder}; ${readOnlyMounts}; exec "$@"`

/**
 * The command that runs `command` apart. Every link of the chain execs the next, so that one kill ends all of it. `fileBytesMax` is what it
 * may write to a file that it was handed open.
 */
export function sandboxed(isolation: Isolation, folder: string, limits: ChildLimits, command: string[], fileBytesMax = 0): string[] {
  const limited = [
    'setpriv' satisfies Program,
    '--pdeathsig=KILL',
    '--no-new-privs',
    // A namespace makes its first process mighty within it: enough to undo the read-only view.
    ...(isolation === 'rlimits' ? [] : ['--bounding-set=-all', '--inh-caps=-all']),
    'prlimit' satisfies Program,
    // Everything it can write to, its stacks and heaps together: what it may cost in memory.
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

/** The first of `wanted` that this platform grants, found by trying; strongest first. */
export async function findIsolation(folder: string, wanted: readonly Isolation[] = isolations): Promise<Isolation | undefined> {
  for (const isolation of wanted) {
    const command = sandboxed(isolation, folder, { memoryBytesMax: 2 ** 28, cpuSecondsMax: 5 }, ['true' satisfies Program])
    try {
      const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
      if ((await child.exited) === 0) return isolation
    } catch {
      // The tool itself is absent; the next form may need less.
    }
  }
  return undefined
}
