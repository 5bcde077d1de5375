import { readdirSync, readFileSync } from 'node:fs'

/**
 * A process and all its descendants, itself first. Postgres uses several process groups, so one group is not enough.
 */
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

/** Whether a process and all its descendants are stopped (SIGSTOP). */
export const isStopped = (pid: number): boolean => processTree(pid).every(each => statOf(each)?.[0] === 'T')

const parentOf = (pid: string): number | undefined => {
  const parent = statOf(pid)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

/** State, parent and following fields; undefined if the process has ended. */
function statOf(pid: string | number): string[] | undefined {
  try {
    // The name in parentheses may contain anything, so fields are counted after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
