import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { imageDir } from '@filmgate/tools/images/build'
import { type ImageName, isImageName, serviceImages } from '@filmgate/tools/images/image-name'
import { portBaseFrom, readArguments, requireKnown } from '@filmgate/tools/stack/command/arguments'
import { firstAccount } from '@filmgate/tools/stack/contents/first-account'
import { explain, StackFault } from '@filmgate/tools/stack/fault'
import { canInstallDebian, installDebian } from '@filmgate/tools/stack/fetch/package-client'
import { mustRun, run } from '@filmgate/tools/stack/fetch/run'
import { openInstance } from '@filmgate/tools/stack/instance'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { type RunningStack, runStack } from '@filmgate/tools/stack/run-stack'
import { applyStackSettings, wireEnv } from '@filmgate/tools/test/environment'
import { createReport } from '../support/suite/report'
import { openContainers } from './container'

const tag = '0.1.0'
const usage = `bun run test:images [name…] [--built]

Builds the images of the services (default: all of ${serviceImages.join(', ')}), starts those services from them
beside real servers, each in a container of its own as the user that the image names, and has videos made by them. Services that are not
named are started from their source. --built takes the images that were built before. Needs Linux, root and runc, which it installs on
Debian; no Docker engine and no registry. Writes .local/reports/images.json.
  FILMGATE_PORT_BASE=N   the first of its ports (default ${suitePortBase})`

function readCall() {
  const options = { built: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const
  const { values, positionals } = readArguments({ args: process.argv.slice(2), allowPositionals: true, options }, usage)
  requireKnown('image', positionals, serviceImages)
  return { ...values, names: serviceImages.filter(name => positionals.length === 0 || positionals.includes(name)) }
}

/** Why no container can be run here. */
async function obstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs root on Linux'
  if ((await run(['unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', 'true'])).code !== 0) return 'it needs to make namespaces'
  if (!Bun.which('runc') && !canInstallDebian()) return 'it needs runc, or Debian, where it can install it'
  return undefined
}

async function archivesOf(names: ImageName[], built: boolean): Promise<Map<ImageName, string>> {
  if (!built)
    console.log(await mustRun('Building the images', [process.execPath, 'run', 'images', ...names, '--tag', tag], { timeoutMs: 3_600_000 }))
  const archives = new Map(names.filter(isImageName).map(name => [name, join(imageDir, `${name}-${tag}.tar`)]))
  for (const file of archives.values()) if (!existsSync(file)) throw new StackFault(`${file} is not there: leave out --built`)
  return archives
}

async function main(): Promise<number> {
  const { help, built, names } = readCall()
  if (help) {
    console.log(usage)
    return 0
  }
  const report = createReport('images')
  const why = await obstacle()
  if (why) {
    report.skip('images', why)
    report.finish()
    return 0
  }
  if (!Bun.which('runc')) await installDebian('runc')
  const archives = await archivesOf(names, built)
  const instance = openInstance('suite-images', portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase))
  // Takes providers' keys out of the environment: nothing is bought.
  applyStackSettings('')
  const containers = await openContainers(join(instance.dir, 'containers'), archives)
  let raised = false
  const work = async ({ supervisor }: RunningStack) => {
    raised = true
    Object.assign(process.env, wireEnv(instance, supervisor.addresses))
    // Their settings are read from the environment when they are loaded.
    const { proveImages } = await import('./prove-images')
    const pids = new Map(supervisor.status().map(({ name, pid }) => [name, pid ?? 0]))
    const services = new Map(names.map(name => [name, pids.get(name) ?? 0]))
    await proveImages(report, services, containers.enter).catch((error: unknown) =>
      report.check('the checks run to their end', false, explain(error)),
    )
    return 0
  }
  const welcome = async ({ supervisor }: RunningStack) => void (await firstAccount(instance, supervisor.addresses))
  const { launch } = containers
  const code = await runStack(instance, { only: 'all', fresh: true, gateways: 1, launch, onReady: welcome, work })
  report.check('every service starts from its image and is ready', raised, 'what kept it from that is named above')
  const left = await containers.left()
  report.check('no container and no mount is left', left.length === 0, left.join(', '))
  await containers.remove()
  return Math.max(code, report.finish())
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
