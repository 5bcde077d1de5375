import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from '../fault'
import { mustRun, run } from './run'

const clients = {
  python: { check: ['python3', '-m', 'pip', '--version'], debian: 'python3-pip', label: 'Python 3 with pip' },
  curl: { check: ['curl', '--version'], debian: 'curl', label: 'curl' },
  jq: { check: ['jq', '--version'], debian: 'jq', label: 'jq' },
  maven: { check: ['mvn', '--version'], debian: 'maven', label: 'Maven (mvn)' },
} as const

/** Ensures that a package client, or a program of the samples, exists: installs it as root on Debian, else says what to install. */
export async function ensureClient(name: keyof typeof clients): Promise<void> {
  const { check, debian, label } = clients[name]
  if ((await run([...check])).code === 0) return
  if (!canInstallDebian())
    throw new StackFault(
      `${label} is missing and can't be installed from here: install it (on Debian: apt-get install ${debian}) and run the command again.`,
    )
  await installDebian(debian)
}

export const canInstallDebian = (): boolean => process.getuid?.() === 0 && Bun.which('apt-get') !== null

/** Extracts a Debian package under `dir` without installing it, in the version of the machine's Debian. */
export async function unpackDebian(name: string, dir: string): Promise<void> {
  if (!Bun.which('apt-get') || !Bun.which('dpkg')) throw new StackFault(`${name} comes from Debian, and this is none.`)
  const download = () => run(['apt-get', 'download', '-qq', name], { cwd: dir })
  if ((await download()).code !== 0) {
    if (process.getuid?.() === 0) await refreshLists()
    await mustRun(`Downloading ${name}`, ['apt-get', 'download', '-qq', name], { cwd: dir })
  }
  const [archive = ''] = [...new Bun.Glob('*.deb').scanSync(dir)]
  await mustRun(`Unpacking ${name}`, ['dpkg', '-x', archive, '.'], { cwd: dir })
  rmSync(join(dir, archive))
}

// apt has one lock per machine, so installations queue here.
let queue: Promise<unknown> = Promise.resolve()
let listsAreFresh = false

async function refreshLists(): Promise<void> {
  if (!listsAreFresh) await mustRun('apt-get update', ['apt-get', 'update', '-qq'], { outlivesParent: true })
  listsAreFresh = true
}

export function installDebian(name: string): Promise<void> {
  const installing = queue.then(async () => {
    await refreshLists()
    const command = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', name]
    await mustRun(`Installing ${name}`, command, { env: { DEBIAN_FRONTEND: 'noninteractive' }, outlivesParent: true })
  })
  queue = installing.catch(() => undefined)
  return installing
}
