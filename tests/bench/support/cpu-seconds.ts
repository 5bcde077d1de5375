import { readFileSync } from 'node:fs'

/** Linux counts in hundredths, whatever the kernel's own tick. */
const ticksPerSecond = 100

/** CPU that a process has used so far, all its threads together; with `children`, that of its ended children and theirs instead. */
export function cpuSecondsOf(pid: number | 'self', whose: 'own' | 'children' = 'own'): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may hold anything: state is the first, utime the twelfth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = whose === 'own' ? [fields[11], fields[12]] : [fields[13], fields[14]]
  return (Number(user) + Number(system)) / ticksPerSecond
}
