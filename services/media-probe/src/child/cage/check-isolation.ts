import { dlopen } from 'bun:ffi'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { caged, findIsolation, type Isolation, isolations } from '../sandbox'

const usage = `check-isolation [--isolation landlock|seccomp] [--service PID]

Tries from inside a decoder's cage what a broken decoder would try, and prints what it reached. Ends with 1 if it
reached anything. The service is process 1 unless --service names it, and the isolation the strongest of this machine.`

/** What the attempts aim at. */
interface Targets {
  service: number
  /** A file of another task. */
  secret: string
  /** Listens on 127.0.0.1. */
  port: number
}

const inside = '--inside'
/** Linux's PTRACE_ATTACH, F_SETOWN, CLONE_NEWNET, AF_UNIX, AF_INET and SOCK_STREAM. */
const [attach, setOwner, newNetwork, unix, internet, stream] = [16, 8, 0x40000000, 1, 2, 1]

/** Each fails by an error, or succeeds. */
function attemptsAt({ service, secret, port }: Targets): Record<string, () => unknown> {
  const { symbols: libc } = dlopen('libc.so.6', {
    ptrace: { args: ['i64', 'i64', 'i64', 'i64'], returns: 'i64' },
    kill: { args: ['i32', 'i32'], returns: 'i32' },
    fcntl: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    unshare: { args: ['i32'], returns: 'i32' },
  })
  const must = (result: number | bigint) => {
    if (result < 0) throw new Error('refused')
  }
  return {
    'the environment of the service': () => readFileSync(`/proc/${service}/environ`),
    'the memory of the service': () => closeSync(openSync(`/proc/${service}/mem`, 'r')),
    'an open file of the service': () => readlinkSync(`/proc/${service}/fd/0`),
    'tracing the service': () => must(libc.ptrace(attach, service, 0, 0)),
    'a signal to the service': () => must(libc.kill(service, 0)),
    'a signal by the kernel to the service': () => must(libc.fcntl(0, setOwner, service)),
    'a file of another task': () => readFileSync(secret),
    'emptying a file of another task': () => closeSync(openSync(secret, 'w')),
    'a new file': () => closeSync(openSync(`${secret}-new`, 'w')),
    'the mode of a file': () => chmodSync(secret, 0o777),
    'the name of a file': () => renameSync(secret, secret),
    'the removal of a file': () => unlinkSync(secret),
    'an internet socket': () => must(libc.socket(internet, stream, 0)),
    'a local socket': () => must(libc.socket(unix, stream, 0)),
    'a connection to this machine': () => fetch(`http://127.0.0.1:${port}`),
    'another network': () => must(libc.unshare(newNetwork)),
  }
}

async function tryAll(targets: Targets): Promise<Record<string, boolean>> {
  const reached: Record<string, boolean> = {}
  for (const [name, attempt] of Object.entries(attemptsAt(targets)))
    reached[name] = await Promise.resolve()
      .then(attempt)
      .then(
        () => true,
        () => false,
      )
  return reached
}

async function tryFromCage(isolation: Isolation, service: number): Promise<Record<string, boolean>> {
  const folder = mkdtempSync(join(tmpdir(), 'another-task-'))
  const secret = join(folder, 'input')
  writeFileSync(secret, 'of another task')
  const listener = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('here') })
  try {
    const targets: Targets = { service, secret, port: listener.port ?? 0 }
    // The script with its neighbours, the runtime, and what that reads of itself.
    const readable = [join(import.meta.dir, '..'), dirname(process.execPath), '/proc/self']
    const command = caged({ isolation, readable, writesInherited: false }, [
      process.execPath,
      import.meta.path,
      inside,
      JSON.stringify(targets),
    ])
    const child = Bun.spawn(command, { env: { PATH: '/usr/bin:/bin' }, cwd: '/', stdout: 'pipe', stderr: 'inherit' })
    const output = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error('the attempts could not be run in the cage')
    if (!existsSync(secret)) throw new Error('a file of another task is gone')
    return JSON.parse(output)
  } finally {
    await listener.stop(true)
    rmSync(folder, { recursive: true })
  }
}

async function main(words: string[]): Promise<number> {
  const [first = '', second = ''] = words
  if (first === inside) {
    console.log(JSON.stringify(await tryAll(JSON.parse(second))))
    return 0
  }
  const { values } = parseArgs({
    args: words,
    options: { isolation: { type: 'string' }, service: { type: 'string', default: '1' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const wanted = isolations.filter(each => each === (values.isolation ?? each))
  const isolation = await findIsolation(tmpdir(), ['prlimit', '--version'], wanted)
  if (!isolation) throw new Error(`this machine does not grant ${values.isolation ?? 'any isolation'}`)
  const reached = await tryFromCage(isolation, Number(values.service))
  console.log(`isolation: ${isolation}`)
  for (const [name, was] of Object.entries(reached)) console.log(`${was ? 'REACHED' : 'refused'}  ${name}`)
  const count = Object.values(reached).filter(Boolean).length
  console.log(`${Object.keys(reached).length - count} refused, ${count} reached`)
  return count === 0 ? 0 : 1
}

process.exit(await main(process.argv.slice(2)))
