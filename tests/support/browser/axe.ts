import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import type { Tab } from './tab'

const axeVersion = '4.14.1'

/** The script of axe-core, which finds what keeps people out of a page. */
export async function fetchAxe(): Promise<string> {
  const folder = await cached(`axe-core-${axeVersion}`, async filling => {
    writeFileSync(join(filling, 'package.json'), '{"private":true}')
    const pin = `axe-core@${axeVersion}`
    const pinned = { pin, pinnedIn: 'tests/support/browser/axe.ts', instead: 'leave the parts out that need it' }
    await fetchPinned(pinned, [process.execPath, 'add', '-E', '--ignore-scripts', pin], { cwd: filling })
  })
  return readFileSync(join(folder, 'node_modules/axe-core/axe.min.js'), 'utf8')
}

/** Every violation of any weight on the page as it stands: rule, words, the first element. */
export async function violationsOf(tab: Tab, axe: string): Promise<string[]> {
  await tab.evaluate(`${axe};0`)
  return tab.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, help, nodes }) => [id, help, nodes[0].html].join(": ")))',
  )
}
