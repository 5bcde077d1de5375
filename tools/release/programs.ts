import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureGo } from '../modules/go'
import { cached } from '../stack/fetch/cached'
import { mustRun } from '../stack/fetch/run'

const modFolder = join(import.meta.dir, 'programs')
export const releaseModFile = join(modFolder, 'go.mod')
const buildTimeoutMs = 3_600_000
const packages = ['github.com/google/go-containerregistry/cmd/crane', 'github.com/sigstore/cosign/v3/cmd/cosign']

export type Programs = { crane: string; cosign: string }

/** crane and cosign, built once from the module versions that `programs/go.mod` pins. */
export async function fetchPrograms(): Promise<Programs> {
  const pins = new Bun.CryptoHasher('sha256')
  for (const file of ['go.mod', 'go.sum']) pins.update(readFileSync(join(modFolder, file)))
  const folder = await cached(`release-programs-${pins.digest('hex').slice(0, 16)}`, async out => {
    const go = await ensureGo()
    console.log('building crane and cosign from their modules, once: some minutes …')
    await mustRun('Building crane and cosign', [go, 'build', '-trimpath', '-ldflags', '-s -w', '-o', `${out}/`, ...packages], {
      cwd: modFolder,
      env: { CGO_ENABLED: '0', GOWORK: 'off' },
      timeoutMs: buildTimeoutMs,
    })
    copyFileSync(releaseModFile, join(out, 'go.mod'))
  })
  return { crane: join(folder, 'crane'), cosign: join(folder, 'cosign') }
}
