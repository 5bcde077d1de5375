import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { renderSample } from '@filmgate/tools/sample-media/render-sample'
import { readSampleName } from '@filmgate/tools/sample-media/sample-name'
import { fetchFfmpeg } from '@filmgate/tools/stack/fetch/ffmpeg'
import { type Cluster, stateDir } from './cluster'

/**
 * A host in the kit's world (node/network/world.sh), at an address that is public to every guard: media-probe fetches from it as from any
 * client's host, over DNS, TLS on port 443 and a release build's rules. Only its authority is of the test, given by the chart's `privateCa`.
 */
export const mediaHost = 'media.example.net'
export const mediaHostAddress = '11.22.33.55'
export const mediaAuthority = 'filmgate-media-ca'

const folder = join(stateDir, 'world/media')

/** The certificate of the host, which is its own authority; made once a cluster, because media-probe reads it at its start. */
export function mediaCertificate(): string {
  const file = join(folder, 'tls.crt')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const { cert, key } = makeCertificate({ names: [mediaHost] })
    writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 })
    writeFileSync(file, cert)
  }
  return readFileSync(file, 'utf8')
}

/** Starts the host with these files, named as tools/sample-media names them, and gives their URLs. */
export async function serveMedia<Name extends string>(cluster: Cluster, files: Record<Name, string>): Promise<Record<Name, string>> {
  // Where a cluster of our own can be had, what is missing comes from Debian.
  await fetchFfmpeg()
  const urls = {} as Record<Name, string>
  for (const name in files) {
    const sample = readSampleName(files[name])
    if (!sample) throw new Error(`${files[name]} is no sample`)
    await renderSample(folder, sample)
    urls[name] = `https://${mediaHost}/${sample.file}`
  }
  await cluster.kit(['world'])
  return urls
}

/** The bodies that were POSTed to the host; what else has its own form there. */
export async function postedToMediaHost<Body>(): Promise<Body[]> {
  const file = Bun.file(join(folder, 'posted.jsonl'))
  return (await file.exists()) ? (Bun.JSONL.parse(await file.text()) as Body[]) : []
}
