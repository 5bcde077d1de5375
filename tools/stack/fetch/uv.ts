import { join } from 'node:path'
import { fetchWheel } from './wheel'

const uvVersion = '0.13.9'

/** The program `uv`: it installs Python packages in seconds where pip takes minutes, and runs tools in environments of their own. */
export async function fetchUv(): Promise<string> {
  const script = `uv-${uvVersion}.data/scripts/uv`
  const wheel = await fetchWheel('uv', uvVersion, [script], {
    pinnedIn: 'tools/stack/fetch/uv.ts',
    instead: 'leave the tests of Python programs out',
  })
  return join(wheel, script)
}
