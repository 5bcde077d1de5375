import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ImageName } from '@filmgate/tools/images/image-name'
import { mustRun, run } from '@filmgate/tools/stack/fetch/run'
import type { Launch } from '@filmgate/tools/stack/process/plan'

/** An image's own configuration, as the archive holds it. */
type ImageConfig = { Entrypoint: string[]; Cmd: string[]; Env: string[]; WorkingDir: string; User: string }
type Unpacked = { rootFolder: string; config: ImageConfig }

/** Settings that name files of this machine, or are for development alone, which a release build refuses. */
const leftOut = [
  'PATH',
  'FILMGATE_DEVELOPMENT',
  'FILMGATE_SIGN_IN_LINKS',
  'FILMGATE_SAMPLE_MEDIA_ORIGIN',
  'FILMGATE_SAMPLE_MEDIA_CA',
  'FILMGATE_OPERATORS_FILE',
  'FILMGATE_CONSOLE_OPERATORS_FILE',
]
/** As the charts set it; and a console outside development has an address of https alone. */
const added = ({ FILMGATE_CONSOLE_URL: url }: Record<string, string>) => ({
  FILMGATE_ALLOW_SIMULATOR: '1',
  SIMULATOR_DATA_DIR: '/tmp/simulator',
  ...(url && { FILMGATE_CONSOLE_URL: url.replace('http:', 'https:') }),
})

/** Unpacks images under `folder`. `launch` has their services started from them, by runc, which needs no daemon. */
export async function openContainers(folder: string, archives: Map<ImageName, string>) {
  const state = join(folder, 'state')
  const runc = (...words: string[]) => run(['runc', '--root', state, ...words])
  const list = async () => JSON.parse((await runc('list', '--format', 'json')).output || 'null') as { id: string; status: string }[] | null
  /** Containers that run, and mounts. A container whose runc was killed stays in the list as stopped. */
  const left = async () => [
    ...((await list()) ?? []).filter(({ status }) => status !== 'stopped').map(({ id }) => id),
    ...readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .filter(mount => mount.includes(folder)),
  ]
  const remove = async () => {
    if (existsSync(state)) for (const { id } of (await list()) ?? []) await runc('delete', '--force', id)
    rmSync(folder, { recursive: true, force: true })
  }
  await remove()
  const images = new Map<string, Unpacked>()
  for (const [name, archive] of archives) images.set(name, await unpack(archive, join(folder, name)))
  const launch: Launch = (service, program) => {
    const image = images.get(service)
    if (!image) return program
    const isMigration = program.command.at(-1) === 'src/migrate.ts'
    const bundle = join(folder, isMigration ? `${service}-migrate` : service)
    mkdirSync(bundle, { recursive: true })
    const env = Object.entries(program.env).filter(([name]) => !leftOut.includes(name))
    const [main = ''] = image.config.Cmd
    const runs = {
      args: [isMigration ? join(dirname(main), 'migrate.js') : main],
      env: { ...Object.fromEntries(env), ...added(program.env) },
    }
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(bundleOf(image, runs)))
    const id = bundle.slice(folder.length + 1)
    return { ...program, command: ['runc', '--root', state, 'run', '--bundle', bundle, id] }
  }
  /** Runs a command in the container of a service; its output. */
  const enter = async (service: ImageName, command: string[]) => (await runc('exec', service, ...command)).output
  return { launch, enter, left, remove }
}

/** Unpacks the layers in their order. A file named `.wh.NAME` in a layer removes NAME of the layers below it. */
async function unpack(archive: string, folder: string): Promise<Unpacked> {
  const rootFolder = join(folder, 'root')
  mkdirSync(rootFolder, { recursive: true })
  const read = async (file: string) => JSON.parse(await mustRun(`Reading ${archive}`, ['tar', '-xOf', archive, file]))
  const [{ Config, Layers }] = (await read('manifest.json')) as [{ Config: string; Layers: string[] }]
  for (const layer of Layers) {
    await mustRun(`Unpacking ${archive}`, ['tar', '-xf', archive, '-C', folder, layer])
    const names = (await mustRun(`Listing ${layer}`, ['tar', '-tf', join(folder, layer)])).split('\n')
    for (const name of names.filter(each => /(?:^|\/)\.wh\./.test(each)))
      rmSync(join(rootFolder, name.endsWith('/.wh..wh..opq') ? dirname(name) : name.replace('.wh.', '')), { recursive: true, force: true })
    await mustRun(`Unpacking ${layer}`, ['tar', '-xpf', join(folder, layer), '-C', rootFolder, '--numeric-owner', '--exclude=.wh.*'])
    rmSync(join(folder, layer))
  }
  return { rootFolder, config: ((await read(Config)) as { config: ImageConfig }).config }
}

/** The configuration of the OCI runtime: what the charts grant a pod, in the network of this machine. */
function bundleOf({ rootFolder, config }: Unpacked, runs: { args: string[]; env: Record<string, string> }) {
  const [uid, gid] = config.User.split(':').map(Number)
  const bound = (file: string) => ({ destination: file, source: file, type: 'bind', options: ['bind', 'ro'] })
  const fresh = (destination: string, type: string, ...options: string[]) => ({ destination, type, source: type, options })
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...runs.args],
      env: [...config.Env, ...Object.entries(runs.env).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
    },
    root: { path: rootFolder, readonly: true },
    mounts: [
      fresh('/proc', 'proc'),
      fresh('/dev', 'tmpfs', 'nosuid', 'mode=755', 'size=65536k'),
      fresh('/dev/shm', 'tmpfs', 'nosuid', 'noexec', 'nodev', 'mode=1777'),
      fresh('/tmp', 'tmpfs', 'nosuid', 'nodev', 'mode=1777'),
      bound('/etc/hosts'),
      bound('/etc/resolv.conf'),
    ],
    linux: { namespaces: ['mount', 'pid', 'ipc', 'uts'].map(type => ({ type })) },
  }
}
