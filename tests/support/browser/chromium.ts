import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canInstallDebian, installDebian } from '@filmgate/tools/stack/fetch/package-client'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const startTimeoutMs = 60_000
const find = () => names.map(name => Bun.which(name)).find(path => path !== null)

/** The machine's own, or as root on Debian its package; undefined where there is none to be had. */
export async function findChromium(): Promise<string | undefined> {
  const own = find()
  if (own || !canInstallDebian()) return own
  await installDebian('chromium')
  return find()
}

/** Starts it without a window; `url` is where its DevTools protocol listens. */
export async function startChromium(path: string, more: string[] = []): Promise<{ url: string; stop(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'filmgate-chromium-'))
  const words = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run', '--disable-gpu', ...more]
  // Its sandbox refuses to run as root; what it opens here is our own page.
  const child = Bun.spawn([path, ...words, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), 'about:blank'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  // Ctrl-C on a suite reaches this process as SIGTERM, and would leave the browser behind.
  const end = () => {
    child.kill('SIGKILL')
    process.exit(143)
  }
  process.once('SIGTERM', end)
  async function stop(): Promise<void> {
    process.off('SIGTERM', end)
    child.kill()
    await child.exited
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  const giveUp = setTimeout(() => child.kill(), startTimeoutMs)
  let output = ''
  const lines = child.stderr.pipeThrough(new TextDecoderStream())
  for await (const words of lines) {
    output += words
    const url = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
    if (!url) continue
    clearTimeout(giveUp)
    return { url, stop }
  }
  await stop()
  throw new Error(`${path} did not start: ${output.slice(-1_000)}`)
}
