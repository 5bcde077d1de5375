import { join } from 'node:path'
import { cached } from './cached'
import { needClient } from './package-client'
import { mustRun } from './run'

const s3proxyVersion = '4.1.0'

/** The one jar that serves S3 from a folder. */
export async function fetchS3(): Promise<string> {
  const dir = await cached(`s3proxy-${s3proxyVersion}`, async filling => {
    await needClient('maven')
    const artifact = `org.gaul:s3proxy:${s3proxyVersion}:jar:jar-with-dependencies`
    await mustRun(`Fetching s3proxy ${s3proxyVersion}`, [
      'mvn',
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${filling}`,
    ])
  })
  return join(dir, `s3proxy-${s3proxyVersion}-jar-with-dependencies.jar`)
}
