import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { NoTokenError, type Token } from './token-login'

export type ClientCredentials = {
  tokenUrl: string
  scope: string | undefined
  clientId(): string
  /** A secret of the client, or a signed assertion of who it is (RFC 7523), such as the token of a pod's service account. */
  proof: { secret(): string } | { assertion(): string }
}

const askTimeoutMs = 5_000
/** Of a token whose answer names none (RFC 6749, 5.1, recommends it). */
const lifeSecondsUnnamed = 300
const Answer = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) })
/** The error's code (RFC 6749, 5.2). */
const Fault = Type.Object({ error: Type.String({ pattern: '^[a-z_]{1,40}$' }) })

/** A token by the client credentials grant (RFC 6749, 4.4). */
export async function askClientCredentials({ tokenUrl, scope, clientId, proof }: ClientCredentials): Promise<Token> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) })
  const headers: Record<string, string> = {}
  if ('secret' in proof) {
    const [id, secret] = [clientId(), proof.secret()].map(encodeURIComponent)
    headers.authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  } else {
    form.set('client_id', clientId())
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    form.set('client_assertion', proof.assertion())
  }
  return tokenOf(await askForToken(tokenUrl, { method: 'POST', headers, body: form }))
}

export const tokenOf = ({ access_token, expires_in = lifeSecondsUnnamed }: Static<typeof Answer>): Token => ({
  value: access_token,
  lifeMs: expires_in * 1_000,
})

/** The answer of an endpoint of tokens. Its description of a fault stays out of logs: only the fault's code is known to be harmless. */
export async function askForToken(url: string, request: RequestInit): Promise<Static<typeof Answer>> {
  const { host } = new URL(url)
  const response = await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(askTimeoutMs) }).catch(error => {
    throw new NoTokenError(`${host} did not answer: ${error instanceof Error ? error.name : 'fault'}`, { cause: error })
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && Value.Check(Answer, answer)) return answer
  const code = Value.Check(Fault, answer) ? ` ${answer.error}` : ''
  throw new NoTokenError(`${host} answered ${response.status}${code}${response.ok ? ' without a token' : ''}`)
}
