import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { type Instance, root } from './instance'
import type { Plan } from './process/plan'
import { portOpen } from './process/probe'

/** A day before it ends it is made anew. */
const renewBeforeMs = 86_400_000

const folderOf = ({ dir }: Instance) => join(dir, 'sample-media')

/** The stack's own HTTPS host of pictures, clips and tones, so that media can be tried without the internet. */
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

/** What lets media-probe fetch from that host; a release build refuses to start with it. */
export function sampleMediaEnv(instance: Instance): Record<string, string> {
  const folder = folderOf(instance)
  ensureCertificate(folder)
  return {
    FILMGATE_SAMPLE_MEDIA_ORIGIN: sampleMediaOrigin(instance),
    FILMGATE_SAMPLE_MEDIA_CA: join(folder, 'certificate.pem'),
    // Here it is the way to this host that works or doesn't: no machine outside is asked.
    FILMGATE_EGRESS_CONTROLS: `127.0.0.1:${instance.ports.sampleMedia}`,
  }
}

export const sampleMediaOrigin = ({ ports }: Instance): string => `https://localhost:${ports.sampleMedia}`

/** Made here and for this machine alone; it is its own authority. */
function ensureCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'certificate.pem')
  const validUntil = existsSync(file) ? new X509Certificate(readFileSync(file)).validToDate.getTime() : 0
  if (validUntil > Date.now() + renewBeforeMs) return
  const { cert, key } = makeCertificate({ names: ['localhost', '127.0.0.1'] })
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(file, cert)
}
