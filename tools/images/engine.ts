import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StackFault } from '../stack/fault'
import { canInstallDebian, installDebian } from '../stack/fetch/package-client'
import { mustRun, run } from '../stack/fetch/run'
import { cacheDir } from '../stack/instance'

/** A Docker engine: its command and environment. */
export type Engine = { docker: string; env: Record<string, string> }

const startTimeoutMs = 30_000
/** The build cache that our own engine keeps: the layers of one complete build. */
const buildCacheMax = '3GB'
const engineMissing =
  'Images need a Docker engine: start Docker, or run this as root on Debian or Ubuntu, where it can start one of its own.'

/** Runs `work` with the running engine, or with one that is started for it. */
export async function withEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const present: Engine = { docker: 'docker', env: { DOCKER_BUILDKIT: '1' } }
  if ((await run(['docker', 'info', '--format', '{{.ServerVersion}}'], { timeoutMs: 10_000 })).code === 0) return work(present)
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new StackFault(engineMissing)
  if (!existsSync('/usr/sbin/dockerd')) {
    if (!canInstallDebian()) throw new StackFault(engineMissing)
    await installDebian('docker.io')
  }
  const { engine, stop } = await startEngine(join(cacheDir, 'engine'))
  const interrupted = () => void stop().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await work(engine)
  } finally {
    await prune(engine)
    await stop()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}

/** Removes unnamed images and old build cache. Only on our own engine. */
async function prune({ docker, env }: Engine): Promise<void> {
  await run([docker, 'image', 'prune', '-f'], { env })
  await run([docker, 'builder', 'prune', '-f', '--keep-storage', buildCacheMax], { env, timeoutMs: 120_000 })
}

/** In its own mount namespace and without its own network, so that only layers remain. */
async function startEngine(dir: string): Promise<{ engine: Engine; stop: () => Promise<void> }> {
  mkdirSync(dir, { recursive: true })
  rmSync(join(dir, 'pid'), { force: true })
  const socket = `unix://${dir}/docker.sock`
  const daemon = [
    'dockerd',
    '--data-root',
    join(dir, 'data'),
    '--exec-root',
    join(dir, 'exec'),
    '-H',
    socket,
    '--pidfile',
    join(dir, 'pid'),
  ]
  const alone = ['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false']
  const log = Bun.file(join(dir, 'log'))
  const child = Bun.spawn(['unshare', '--mount', '--propagation', 'private', ...daemon, ...alone], {
    stdin: 'ignore',
    stdout: log,
    stderr: log,
  })
  // Debian's client: newer ones need the buildx plugin.
  const engine = {
    docker: existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker',
    env: { DOCKER_HOST: socket, DOCKER_BUILDKIT: '1' },
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const deadline = Date.now() + startTimeoutMs
  while ((await run([engine.docker, 'info'], { env: engine.env })).code !== 0) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new StackFault(`Our own Docker engine did not start: ${(await log.text()).trim().split('\n').slice(-3).join(' ')}`)
    }
    await Bun.sleep(200)
  }
  return { engine, stop }
}

export const docker = (engine: Engine, what: string, args: string[], cwd?: string): Promise<string> =>
  mustRun(what, [engine.docker, ...args], { env: engine.env, cwd, timeoutMs: 1_800_000 })
