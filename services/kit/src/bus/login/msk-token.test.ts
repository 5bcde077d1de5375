import { afterEach, expect, test } from 'bun:test'
import { createHash, createHmac } from 'node:crypto'
import { signMskToken } from './msk-token'

const now = new Date('2026-11-27T01:02:03Z')
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'a/session+token==',
}

const urlOf = ({ value }: { value: string }) => new URL(Buffer.from(value, 'base64url').toString())

/**
 * The signature that AWS finds for a signed URL, worked out from its rules alone and not by the SDK:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html. User-Agent is no part of what is signed.
 */
function signatureOf(url: URL, secretKey: string): string {
  const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  const signed = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature' && name !== 'User-Agent')
  const query = signed
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const [, day = '', region = '', service = '', end = ''] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/')
  const request = ['GET', '/', query, `host:${url.host}`, '', 'host', sha256('')].join('\n')
  const text = ['AWS4-HMAC-SHA256', url.searchParams.get('X-Amz-Date'), [day, region, service, end].join('/'), sha256(request)].join('\n')
  const key = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(key, text).toString('hex')
}

test('the token is the signed URL that brokers of MSK ask for, and its signature is the one that AWS works out', async () => {
  const token = await signMskToken('eu-central-1', async () => credentials, now)
  const url = urlOf(token)
  const { 'X-Amz-Signature': signature, ...parameters } = Object.fromEntries(url.searchParams)
  expect([url.origin, url.pathname, token.lifeMs]).toEqual(['https://kafka.eu-central-1.amazonaws.com', '/', 900_000])
  expect(parameters).toEqual({
    Action: 'kafka-cluster:Connect',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIDEXAMPLE/20261127/eu-central-1/kafka-cluster/aws4_request',
    'X-Amz-Date': '20261127T010203Z',
    'X-Amz-Expires': '900',
    'X-Amz-Security-Token': 'a/session+token==',
    'X-Amz-SignedHeaders': 'host',
    'User-Agent': 'filmgate',
  })
  expect(signature).toBe(signatureOf(url, credentials.secretAccessKey))
  expect(signature).not.toBe(signatureOf(url, 'another key'))
})

test('credentials that end sooner end the token', async () => {
  const expiration = new Date(now.getTime() + 61_000)
  expect((await signMskToken('eu-central-1', async () => ({ ...credentials, expiration }), now)).lifeMs).toBe(61_000)
})

const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_EC2_METADATA_DISABLED']
afterEach(() => {
  for (const name of names) delete process.env[name]
})

test('without any named, the credentials of AWS’s default chain sign; where it has none, that is said', async () => {
  process.env.AWS_EC2_METADATA_DISABLED = 'true'
  await expect(signMskToken('eu-central-1')).rejects.toThrow('AWS gives this process no credentials')
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIDCHAIN', AWS_SECRET_ACCESS_KEY: 'chain-secret', AWS_SESSION_TOKEN: 'chain-token' })
  const url = urlOf(await signMskToken('eu-central-1'))
  expect(url.searchParams.get('X-Amz-Credential')).toStartWith('AKIDCHAIN/')
  expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, 'chain-secret'))
})
