import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Certificate } from '@filmgate/kit/testing/certificate'

export const audience = 'kafka.example'
export const clientId = 'filmgate'
const keyId = 'first'

export type TokenIssuer = {
  /** The same endpoint in clear, for a broker and for what runs in the test's own process, and over TLS. */
  urls: { jwks: string; clear: string; secure: string }
  /** Every token that was given. */
  given: string[]
  /** What the next tokens are like; `away`: none is given. */
  next: { lifeSeconds: number; audience: string; stranger: boolean; away: boolean }
  sign(): string
  stop(): Promise<void>
}

/** An authorization server: the client credentials grant by a secret or by an assertion, and the keys that its tokens are signed with. */
export function startTokenIssuer(secret: string, assertion: () => string, { cert, key }: Certificate): TokenIssuer {
  const pairs = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ec', { namedCurve: 'P-256' })]
  const [ours, strangers] = pairs.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const next = { lifeSeconds: 300, audience, stranger: false, away: false }
  const given: string[] = []

  function signToken(): string {
    const seconds = Math.floor(Date.now() / 1_000)
    const claims = { iss: 'test', sub: clientId, aud: next.audience, scope: 'kafka', iat: seconds, exp: seconds + next.lifeSeconds }
    const parts = [{ alg: 'ES256', typ: 'JWT', kid: keyId }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const body = Buffer.from(parts.join('.'))
    const signer = createPrivateKey((next.stranger ? strangers : ours) as string)
    const signature = sign('sha256', body, { key: signer, dsaEncoding: 'ieee-p1363' }).toString('base64url')
    given.push(`${parts.join('.')}.${signature}`)
    return given.at(-1) as string
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'GET') {
      const jwk = pairs[0]?.publicKey.export({ format: 'jwk' })
      return Response.json({ keys: [{ ...jwk, kid: keyId, use: 'sig', alg: 'ES256' }] })
    }
    if (next.away) return Response.json({ error: 'temporarily_unavailable' }, { status: 503 })
    const form = new URLSearchParams(await request.text())
    const bySecret = request.headers.get('authorization') === `Basic ${btoa(`${clientId}:${secret}`)}`
    const byAssertion = form.get('client_id') === clientId && form.get('client_assertion') === assertion()
    if (!bySecret && !byAssertion) return Response.json({ error: 'invalid_client' }, { status: 401 })
    return Response.json({ access_token: signToken(), token_type: 'Bearer', expires_in: next.lifeSeconds })
  }

  const clear = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  const secure = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert, key }, fetch: answer })
  const address = `http://127.0.0.1:${clear.port}`
  return {
    urls: { jwks: `${address}/keys`, clear: `${address}/token`, secure: `https://localhost:${secure.port}/token` },
    given,
    next,
    sign: signToken,
    async stop() {
      await Promise.all([clear.stop(true), secure.stop(true)])
    },
  }
}
