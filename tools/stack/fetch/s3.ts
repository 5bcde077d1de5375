import { join } from 'node:path'
import { cached } from './cached'
import { fetchPinned } from './fetch-pinned'
import { ensureClient } from './package-client'

const s3proxyVersion = '4.1.0'

/** The one jar that serves S3 from a folder. */
export async function fetchS3(version = s3proxyVersion): Promise<string> {
  const dir = await cached(`s3proxy-${version}`, async filling => {
    await ensureClient('maven')
    const artifact = `org.gaul:s3proxy:${version}:jar:jar-with-dependencies`
    const instead =
      'name a store of your own in FILMGATE_S3_ENDPOINT, with its keys in FILMGATE_S3_ACCESS_KEY_ID and FILMGATE_S3_SECRET_ACCESS_KEY'
    await fetchPinned({ pin: artifact, pinnedIn: 'tools/stack/fetch/s3.ts', instead }, [
      'mvn',
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${filling}`,
    ])
  })
  return join(dir, `s3proxy-${version}-jar-with-dependencies.jar`)
}
