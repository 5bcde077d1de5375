import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fetchHelm } from '@filmgate/tools/charts/helm'
import type { Programs } from '@filmgate/tools/release/programs'
import { portBaseFrom } from '@filmgate/tools/stack/command/arguments'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import { until } from '../support/until'

/** Where the parts of the suite find things. `registry`: host and path of the first release. */
export type Bench = Programs & {
  helm: string
  folder: string
  host: string
  registry: string
  key: string
  publicKey: string
}

export const version = '99.0.0'
export const password = 'release-test-password'

/** A registry that ends with the suite, and a pair of keys. */
export async function withRegistry(folder: string, programs: Programs, work: (bench: Bench) => Promise<void>): Promise<void> {
  const host = `127.0.0.1:${portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)}`
  const blobs = join(folder, 'blobs')
  mkdirSync(blobs)
  await mustRun('Making a key', [programs.cosign, 'generate-key-pair', '--output-key-prefix', join(folder, 'cosign')], {
    env: { COSIGN_PASSWORD: password },
  })
  const log = Bun.file(join(folder, 'registry.log'))
  const served = Bun.spawn([programs.crane, 'registry', 'serve', '--address', host, '--disk', blobs], {
    stdout: log,
    stderr: log,
  })
  try {
    await until('the registry', async () => (await fetch(`http://${host}/v2/`).catch(() => undefined))?.ok)
    await work({
      ...programs,
      helm: join(await fetchHelm(), 'helm'),
      folder,
      host,
      registry: `${host}/acme`,
      key: join(folder, 'cosign.key'),
      publicKey: join(folder, 'cosign.pub'),
    })
  } finally {
    served.kill()
    await served.exited
  }
}
