import { askForToken, tokenOf } from './client-credentials'
import { NoTokenError, type Token } from './token-login'

const metadataUrl = 'http://metadata.google.internal'
const askTimeoutMs = 5_000
const headers = { 'metadata-flavor': 'Google' }

/**
 * What brokers of Google's Managed Service for Apache Kafka take as a token: an access token of the pod's service account, in an envelope
 * that looks like a JWT. Its form is that of https://github.com/googleapis/managedkafka (kafka-auth-local-server).
 */
export async function askGoogleToken(baseUrl = metadataUrl, now: () => number = Date.now): Promise<Token> {
  const account = `${baseUrl}/computeMetadata/v1/instance/service-accounts/default`
  const [{ value, lifeMs }, email] = await Promise.all([
    askForToken(`${account}/token`, { headers }).then(tokenOf),
    askEmail(`${account}/email`),
  ])
  const seconds = Math.floor(now() / 1_000)
  const claims = { exp: seconds + Math.floor(lifeMs / 1_000), iat: seconds, iss: 'Google', scope: 'kafka', sub: email }
  const parts = [JSON.stringify({ typ: 'JWT', alg: 'GOOG_OAUTH2_TOKEN' }), JSON.stringify(claims), value]
  return { value: parts.map(part => Buffer.from(part).toString('base64url')).join('.'), lifeMs }
}

async function askEmail(url: string): Promise<string> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(askTimeoutMs) }).catch(error => {
    throw new NoTokenError('the metadata server did not answer', { cause: error })
  })
  if (!response.ok) throw new NoTokenError(`the metadata server answered ${response.status}`)
  return (await response.text()).trim()
}
