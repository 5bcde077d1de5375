import { createHash, createHmac } from 'node:crypto'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import { SignatureV4 } from '@smithy/signature-v4'
import { NoTokenError, type Token } from './token-login'

/** Brokers of MSK take a token for no longer. */
const lifeSecondsMax = 900

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string; expiration?: Date }

/**
 * What brokers of MSK with IAM take as a token: the signed URL of a call that is never made, in base64url. Signed by AWS's default chain,
 * such as a pod's role. The form is that of https://github.com/aws/aws-msk-iam-sasl-signer-js, which brings a second copy of the SDK.
 */
export async function signMskToken(
  region: string,
  credentialsOf: () => Promise<Credentials> = defaultProvider(),
  now = new Date(),
): Promise<Token> {
  const credentials = await credentialsOf().catch(error => {
    throw new NoTokenError('AWS gives this process no credentials', { cause: error })
  })
  const host = `kafka.${region}.amazonaws.com`
  const signer = new SignatureV4({ service: 'kafka-cluster', region, credentials, sha256: Sha256, applyChecksum: false })
  const call = {
    method: 'GET',
    protocol: 'https:',
    hostname: host,
    path: '/',
    headers: { host },
    query: { Action: 'kafka-cluster:Connect' },
  }
  const { query = {} } = await signer.presign(call, { expiresIn: lifeSecondsMax, signingDate: now })
  const parameters = Object.entries({ ...query, 'User-Agent': 'filmgate' }).map(pair =>
    pair.map(part => encodeURIComponent(String(part))).join('='),
  )
  const leftMs = credentials.expiration ? credentials.expiration.getTime() - now.getTime() : Number.POSITIVE_INFINITY
  return {
    value: Buffer.from(`https://${host}/?${parameters.join('&')}`).toString('base64url'),
    lifeMs: Math.min(lifeSecondsMax * 1_000, leftMs),
  }
}

/** SHA-256, and its HMAC where there is a key, as the signer asks for them. */
class Sha256 {
  readonly #hash
  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', typeof key === 'string' ? key : bytesOf(key))
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data))
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }
  reset(): void {}
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
