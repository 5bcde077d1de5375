import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccount } from '../../../support/client/account'
import { ownWords } from '../../../support/client/request'
import { simulator } from '../../../support/simulator'
import { jsonOf, newHome, sources } from './program'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-cli-'))

function build(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'build', join(sources, 'main.ts'), ...words], { cwd: folder })
  if (exitCode !== 0) throw new Error(`${stderr}`)
}

/** The program as strangers have it. */
const builds: [name: string, make: () => string[]][] = [
  [
    'one binary',
    () => {
      build('--compile', '--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig', '--outfile', join(folder, 'filmgate'))
      return [join(folder, 'filmgate')]
    },
  ],
  [
    'JavaScript for Node',
    () => {
      build('--target', 'node', '--outfile', join(folder, 'filmgate.mjs'))
      return ['node', join(folder, 'filmgate.mjs')]
    },
  ],
]
for (const [name, make] of builds)
  test.concurrent(`built as ${name}, it makes and saves a video, and ends by itself`, async () => {
    const command = make()
    const { apiKey } = await openAccount()
    const home = newHome(apiKey)
    const prompt = ownWords()
    await simulator.behave(prompt, [{ name: 'instant' }])
    expect(await home.run(['--version'], { command })).toEqual({ exit: 0, out: '0.1.0\n', err: '' })
    const words = ['generate', prompt, '-m', 'alpha-h3-fast', '--duration', '1', '--yes', '-o', 'boat.mp4', '--json']
    expect(jsonOf(await home.run(words, { command }))).toMatchObject({ status: 'completed', saved_to: home.path('boat.mp4') })
    expect((await home.run(['estimate', 'A boat', '-m', 'alpha-h3', '--duration', '99'], { command })).exit).toBe(2)
    // A folder that somebody else made must not send the key elsewhere.
    writeFileSync(home.path('.env'), 'FILMGATE_URL=http://127.0.0.1:9/api/v1\n')
    expect((await home.run(['credits'], { command, url: '' })).err).toContain('The address of the API is not known.')
  }, 240_000)
