import { readdirSync, readFileSync } from 'node:fs'

/** A process and all that descend from it, itself first. Postgres puts each of its processes into a group of its own, so a group is not enough. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = parentOf(entry)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const tree = [pid]
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return tree
}

/** Whether a process and all that descend from it stand still, as SIGSTOP leaves them. */
export const isStopped = (pid: number): boolean => processTree(pid).every(each => statOf(each)?.[0] === 'T')

const parentOf = (pid: string): number | undefined => {
  const parent = statOf(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** State, parent and what follows; undefined where the process has ended. */
function statOf(pid: string | number): string[] | undefined {
  try {
    // The name in parentheses may hold anything, so the fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
