import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instance } from '../instance'
import type { Plan } from '../process/plan'
import { portOpen } from '../process/probe'
import { aotCache, jvmOptions } from './ahead-of-time'

/** Public credentials; the server listens only on 127.0.0.1. */
export const s3Credentials = { accessKeyId: 'filmgate', secretAccessKey: 'filmgate-local-secret' }

const chunkBytesMax = 1_073_741_824

/** S3 over a folder. */
export function s3Plan({ dir, ports }: Instance, java: string, jar: string): Plan {
  const data = join(dir, 's3')
  const properties = join(dir, 's3proxy.properties')
  const cache = aotCache('s3proxy', java)
  return {
    name: 's3',
    kind: 'server',
    port: ports.s3,
    command: [java, ...jvmOptions(384), ...cache.options, '-jar', jar, '--properties', properties],
    cwd: dir,
    prepare: async () => {
      mkdirSync(data, { recursive: true })
      writeFileSync(properties, propertiesText(data, ports))
    },
    ready: () => portOpen(ports.s3),
    readyTimeoutMs: 120_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: cache.stopTimeoutMs,
    stopNotice: cache.stopNotice,
  }
}

/** Pages of any origin read videos and put uploads, as docs/operations.md says. s3proxy has one CORS rule for all buckets. */
const propertiesText = (data: string, ports: Instance['ports']): string => `
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=${s3Credentials.accessKeyId}
s3proxy.credential=${s3Credentials.secretAccessKey}
s3proxy.endpoint=http://127.0.0.1:${ports.s3}
s3proxy.cors-allow-origins=*
s3proxy.cors-allow-methods=GET HEAD PUT
s3proxy.cors-allow-headers=content-type range
s3proxy.cors-exposed-headers=content-disposition content-length content-range
s3proxy.v4-max-non-chunked-request-size=${chunkBytesMax}
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=${data}
`
