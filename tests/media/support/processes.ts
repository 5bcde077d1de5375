import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Pids of a process's children, of their children, and so on. */
export function childrenOf(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    const stat = read(`/proc/${name}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)])
  }
  const all = (of: number): number[] => (parents.get(of) ?? []).flatMap(child => [child, ...all(child)])
  return all(pid)
}

/** 0 where the process is gone. */
export const residentBytes = (pid: number): number => Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

/** Files whose path has `part` in it that a process holds open. */
export const filesOf = (pid: number, part: string): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      const to = readlinkSync(`/proc/${pid}/fd/${fd}`)
      return to.includes(part) ? [to] : []
    } catch {
      // Closed between being listed and being read.
      return []
    }
  })

/** A process may end between being listed and being read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
