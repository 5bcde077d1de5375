import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'

export type PythonClient = { name: string; version: string; pinnedIn: string }

/** Both that are driven were made for `mcp` 1 and would take the newest, which is 2 and without what they import. */
const needed = 'mcp==1.30.0'

/** A folder with a published client in Python and what it needs. Both that are driven so ask for Python 3.12, and run with an older one. */
export function fetchPythonClient({ name, version, pinnedIn }: PythonClient): Promise<string> {
  const pin = `${name}==${version}`
  return cached(`${name}-${version}-${needed.replace('==', '-')}`, async filling => {
    await ensureClient('python')
    const command = ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--disable-pip-version-check', '--ignore-requires-python']
    await fetchPinned({ pin, pinnedIn, instead: 'leave the part client out' }, [...command, '--target', filling, pin, needed])
  })
}

/** Runs a program with it: the calls on its stdin, and on its stdout what became of each. */
export async function runPython<Call, Told>(program: string, calls: Call[], env: Record<string, string>): Promise<Told[]> {
  const child = Bun.spawn(['python3', program], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: new TextEncoder().encode(JSON.stringify(calls)),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const told = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error(`${program} ended with ${child.exitCode}`)
  return JSON.parse(told)
}
