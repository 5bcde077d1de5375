import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { type Instance, root } from './instance'
import type { Plan } from './process/plan'
import { portOpen } from './process/probe'

/** Renewed a day before it expires. */
const renewBeforeMs = 86_400_000

const folderOf = ({ dir }: Instance) => join(dir, 'sample-media')

/** A local HTTPS host with sample media, so that media work without internet. */
export function sampleMediaPlan(instance: Instance, toolPath: string[]): Plan {
  const port = instance.ports.sampleMedia
  return {
    name: 'sample-media',
    kind: 'service',
    port,
    command: [process.execPath, 'tools/sample-media/main.ts'],
    cwd: root,
    env: { PATH: [...toolPath, process.env.PATH].join(':'), PORT: String(port), SAMPLE_MEDIA_FOLDER: folderOf(instance) },
    prepare: async () => ensureCertificate(folderOf(instance)),
    ready: () => portOpen(port),
    readyTimeoutMs: 20_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  }
}

/** Settings for media-probe to fetch from that host; a release build refuses them. */
export function sampleMediaEnv(instance: Instance): Record<string, string> {
  const folder = folderOf(instance)
  ensureCertificate(folder)
  return {
    FILMGATE_SAMPLE_MEDIA_ORIGIN: sampleMediaOrigin(instance),
    FILMGATE_SAMPLE_MEDIA_CA: join(folder, 'certificate.pem'),
    // Egress here is the connection to this host; no other machine is contacted.
    FILMGATE_EGRESS_CONTROLS: `127.0.0.1:${instance.ports.sampleMedia}`,
  }
}

export const sampleMediaOrigin = ({ ports }: Instance): string => `https://localhost:${ports.sampleMedia}`

/** A self-signed certificate for this machine. */
function ensureCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'certificate.pem')
  const validUntil = existsSync(file) ? new X509Certificate(readFileSync(file)).validToDate.getTime() : 0
  if (validUntil > Date.now() + renewBeforeMs) return
  const { cert, key } = makeCertificate({ names: ['localhost', '127.0.0.1'] })
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(file, cert)
}
