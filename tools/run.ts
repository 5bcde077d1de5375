import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Runs a tool after seeing to its packages, so that every command works on a fresh clone. It may import nothing but what the
 * runtime itself brings: at this point node_modules may be empty.
 */
const root = resolve(import.meta.dir, '..')
const stamp = join(root, 'node_modules/.filmgate-lock')

function hashOf(...files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function installPackages(): void {
  const lock = hashOf('bun.lock', ...readdirSync(join(root, 'patches')).map(file => join('patches', file)))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.error('installing packages (bun install) …')
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile'], { cwd: root })
  if (exitCode !== 0) {
    const words = `${stdout}${stderr}`.trim()
    console.error(sentenceOf(words))
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}

function sentenceOf(words: string): string {
  if (/ENOSPC|no space/i.test(words)) return 'The disk is full: free a few hundred megabytes and run the command again.'
  const gone = / - 40[34]\b|No version matching|failed to resolve/.test(words)
  const cure =
    'A package that bun.lock pins is not served any more: name a registry that has it in BUN_CONFIG_REGISTRY, or move the pin (`bun update NAME`), run every test and commit bun.lock.'
  return `bun install failed:\n${words}${gone ? `\n${cure}` : ''}`
}

if (Bun.version !== '1.4.5')
  console.error(`Filmgate is tested with Bun 1.4.5; this is ${Bun.version}. Use \`npx --yes bun@1.4.5\` if something looks odd.`)
process.chdir(root)
installPackages()
const [tool = ''] = process.argv.splice(2, 1)
await import(`./${tool}.ts`)
