import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { createObjectStore, type ObjectStore, type ObjectStoreOptions } from '../object-store'
import { servers, until } from '../testing'
import { bucketFaults, bucketOf, storeVariables } from './store-environment'
import { readVariables } from './variables'

const bucket = `test-${crypto.randomUUID()}`
const { endpoint, region, accessKeyId, secretAccessKey } = servers.s3
const admin = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })
const dir = mkdtempSync(join(tmpdir(), 'filmgate-role-'))
const tokenFile = join(dir, 'token')
const roleArn = 'arn:aws:iam::111122223333:role/filmgate-dispatcher'
const sessionToken = 'a-session-token'
/** What the stand-ins of STS and of a pod's agent were asked. */
const asked: { path: string; authorization: string | null; form: URLSearchParams }[] = []
let lifeMs = 0

/** Stands in for STS, without a session token, which the real store of the tests does not take, and for the agent of EKS Pod Identity. */
const issuer = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url)
    asked.push({ path: pathname, authorization: request.headers.get('authorization'), form: new URLSearchParams(await request.text()) })
    const expiration = new Date(Date.now() + lifeMs).toISOString()
    if (pathname === '/v1/credentials')
      return Response.json({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: expiration })
    return new Response(
      `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>
       <Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>
       <Expiration>${expiration}</Expiration></Credentials>
       </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
      { headers: { 'content-type': 'text/xml' } },
    )
  },
})
const at = (path: string) => `http://127.0.0.1:${issuer.port}${path}`

beforeAll(async () => {
  await admin.send(new CreateBucketCommand({ Bucket: bucket }))
})
afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
  asked.length = 0
})
afterAll(async () => {
  const store = createObjectStore({ ...servers.s3, bucket })
  await store.remove((await store.list('')).map(({ key }) => key))
  await admin.send(new DeleteBucketCommand({ Bucket: bucket }))
  await issuer.stop(true)
  rmSync(dir, { recursive: true })
})

/** As EKS sets the environment of a pod: of the store it says where it is, and no keys. */
function storeOfPod(environment: Record<string, string>, at = endpoint): ObjectStore {
  Object.assign(process.env, { AWS_EC2_METADATA_DISABLED: 'true', ...environment })
  return createObjectStore(bucketOf(readVariables({ S3_ENDPOINT: at, S3_REGION: region }, storeVariables), bucket) as ObjectStoreOptions)
}

async function expectWhole(store: ObjectStore): Promise<void> {
  await store.put('one', new TextEncoder().encode('a video'), { contentType: 'text/plain' })
  expect(await store.head('one')).toMatchObject({ bytes: 7 })
  expect(await (await fetch(await store.presignGet('one', 60))).text()).toBe('a video')
}

test('a pod with a role of IRSA reads and writes with its token file, which is read again when credentials end', async () => {
  writeFileSync(tokenFile, 'first-token')
  lifeMs = 3_600_000
  const role = { AWS_ROLE_ARN: roleArn, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ENDPOINT_URL_STS: at('/'), AWS_REGION: region }
  await expectWhole(storeOfPod(role))
  expect(asked).toHaveLength(1)
  const [first] = asked
  expect([first?.form.get('Action'), first?.form.get('RoleArn'), first?.form.get('WebIdentityToken')]).toEqual([
    'AssumeRoleWithWebIdentity',
    roleArn,
    'first-token',
  ])
  // Less than five minutes are left: the next calls ask anew.
  lifeMs = 60_000
  const store = storeOfPod(role)
  await store.head('one')
  writeFileSync(tokenFile, 'second-token')
  await until('the second token', async () => {
    await store.head('one')
    return asked.at(-1)?.form.get('WebIdentityToken') === 'second-token'
  })
})

/** Puts, heads and signs at a server that keeps which session tokens it is sent. */
async function expectToken(environment: Record<string, string>): Promise<void> {
  const tokens: (string | null)[] = []
  const recorder = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      tokens.push(request.headers.get('x-amz-security-token'))
      return new Response(null, { headers: { 'content-length': '7' } })
    },
  })
  const store = storeOfPod(environment, `http://127.0.0.1:${recorder.port}`)
  await store.head('one')
  await store.put('one', new Uint8Array(7), { contentType: 'text/plain' })
  expect(tokens).toEqual([sessionToken, sessionToken])
  expect(new URL(await store.presignGet('one', 60)).searchParams.get('X-Amz-Security-Token')).toBe(sessionToken)
  await recorder.stop(true)
}

test('a pod with EKS Pod Identity signs with what its agent gives it for the token file', async () => {
  writeFileSync(tokenFile, 'pod-token')
  lifeMs = 3_600_000
  await expectToken({ AWS_CONTAINER_CREDENTIALS_FULL_URI: at('/v1/credentials'), AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: tokenFile })
  expect(asked.map(({ path, authorization }) => [path, authorization])).toEqual([['/v1/credentials', 'pod-token']])
})

test('a session token of the environment goes with each call and into each signed URL', () =>
  expectToken({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_SESSION_TOKEN: sessionToken }))

test('without keys, a role or an agent the first call fails and says so', async () => {
  await expect(storeOfPod({}).head('one')).rejects.toThrow(/credentials/i)
})

test('a bucket needs an endpoint, and two keys or none', () => {
  const faultsOf = (env: Record<string, string>) => bucketFaults(readVariables(env, storeVariables), 'S3_OUTPUTS_BUCKET', 'outputs')
  expect(faultsOf({ S3_ENDPOINT: endpoint })).toEqual([])
  expect(faultsOf({ S3_ACCESS_KEY_ID: 'id' })).toEqual([
    'S3_ENDPOINT must be set where S3_OUTPUTS_BUCKET is',
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set together or not at all',
  ])
})
