import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { portOpen } from '@filmgate/tools/stack/process/probe'
import { RedisClient } from 'bun'
import { openAccount } from '../../support/client/account'
import { fetchDebian } from '../../support/fetch-debian'
import { startOwn } from '../../support/servers/own-services'
import { freePort } from '../../support/servers/program'
import { until } from '../../support/until'

const startMsMax = 120_000
const testTimeoutMs = 180_000
/** The wheel of the local stack has a Valkey without TLS; Debian's has it. */
const packages =
  'valkey-server valkey-tools libc6 libssl3t64 libsystemd0 libjemalloc2 liblua5.1-0 liblzf1 libatomic1 libgcc-s1 libstdc++6 libzstd1 zlib1g libcap2'
const [user, password, wrong] = ['gate', 'the-password-of-gate', 'no-password-of-gate']
const bucketKeys = 'limits:key:*'
const [tlsPort, plainPort] = [freePort(), freePort()]
const dir = mkdtempSync(join(tmpdir(), 'filmgate-redis-tls-'))
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text, { mode: 0o600 })
  return join(dir, name)
}
const authority = makeCertificate({ names: ['Filmgate test authority'] })
const ca = file('ca.crt', authority.cert)
const stranger = file('stranger.crt', makeCertificate({ names: ['A stranger'] }).cert)
let server: Bun.Subprocess
let apiKey: string

beforeAll(async () => {
  const { cert, key } = makeCertificate({ names: ['localhost'], issuer: authority })
  // As ElastiCache with a user group and Memorystore with AUTH are: TLS alone for clients, and no client without a name or a password.
  const conf = `
port ${plainPort}
tls-port ${tlsPort}
bind 127.0.0.1
tls-cert-file ${file('server.crt', cert)}
tls-key-file ${file('server.key', key)}
tls-ca-cert-file ${ca}
tls-auth-clients no
requirepass ${password}
user ${user} on >${password} ~* &* +@all
save ""
dir ${dir}
`
  const command = [...(await fetchDebian('valkey', packages.split(' '), 'usr/bin/valkey-server')), file('valkey.conf', conf)]
  server = spawnChild({ command, cwd: dir, env: {} }, join(dir, 'valkey.log'), () => {})
  apiKey = (await openAccount({})).apiKey
  await until('Valkey with TLS', () => portOpen(tlsPort), startMsMax)
}, startMsMax)
afterAll(async () => {
  server?.kill('SIGKILL')
  await server?.exited
  rmSync(dir, { recursive: true })
})

const to = (login: string, { scheme = 'rediss', host = 'localhost' } = {}) => `${scheme}://${login}@${host}:${tlsPort}`

/** A gateway on that Redis, asked with a key, as often as `enough` says: what its Redis holds after, and what it has logged. */
async function gatewayOn(url: string, authorities = ca, enough: (buckets: number) => boolean = () => true) {
  const own = { REDIS_URL: url, NODE_EXTRA_CA_CERTS: authorities, PORT: '0', LOG_LEVEL: 'info' }
  const gateway = await startOwn('gateway', own, '/readyz')
  const redis = new RedisClient(`redis://:${password}@127.0.0.1:${plainPort}`)
  try {
    for (const bucket of await redis.keys(bucketKeys)) await redis.del(bucket)
    return await until('the gateway to be asked enough', async () => {
      // Of a new Redis a gateway takes no token for a minute.
      await redis.send('HSET', ['limits:redis', 'since', '1'])
      const { status } = await fetch(`${gateway.url}/api/v1/models`, {
        headers: { authorization: `Bearer ${apiKey}` },
        keepalive: false,
      })
      const buckets = (await redis.keys(bucketKeys)).length
      return enough(buckets) && { status, buckets, log: readFileSync(gateway.logFile, 'utf8') }
    })
  } finally {
    redis.close()
    await gateway.stop()
  }
}

test(
  'over TLS of an authority of one’s own, a user with a password and a password alone are let in: limits are counted there',
  async () => {
    for (const login of [`${user}:${password}`, `:${password}`]) {
      // The gateway is ready before its Redis is, and counts by its share until then.
      const { status, buckets, log } = await gatewayOn(to(login), ca, buckets => buckets > 0)
      expect([status, buckets]).toEqual([200, 1])
      expect(log).not.toContain(password)
    }
  },
  testTimeoutMs,
)

test(
  'a stranger’s authority, another name, a wrong password and a way without TLS are refused, and the gateway limits by shares',
  async () => {
    const login = `${user}:${password}`
    const refused = [
      [await gatewayOn(to(login), stranger), /"code":"(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)"/],
      [await gatewayOn(to(login, { host: '127.0.0.1' })), /ERR_TLS_CERT_ALTNAME_INVALID/],
      [await gatewayOn(to(`${user}:${wrong}`)), /WRONGPASS/],
      [await gatewayOn(to(login, { scheme: 'redis' })), /ECONNRESET|Redis does not answer/],
    ] as const
    for (const [{ status, buckets, log }, words] of refused) {
      expect([status, buckets]).toEqual([200, 0])
      expect(log).toMatch(words)
      for (const secret of [password, wrong]) expect(log).not.toContain(secret)
    }
  },
  testTimeoutMs,
)
