import { KafkaJSError, type Mechanism } from 'kafkajs'
import type { TokenLogin } from './token-login'

/** The broker refused the token. Its words say why (expired, unknown key, wrong audience) and hold no token. */
export class TokenRefused extends KafkaJSError {
  override readonly name = 'TokenRefused'
  constructor(words: string) {
    super(words, { retriable: false })
  }
}

/**
 * SASL/OAUTHBEARER (RFC 7628), in the place of kafkajs's own: that takes a refusal for a success, because a broker answers a bad token with
 * a challenge and no error code. The next request then ends with `Closed connection` and nobody learns why.
 */
export const tokenMechanism = (login: TokenLogin): Mechanism => ({
  mechanism: 'oauthbearer',
  authenticationProvider: ({ saslAuthenticate }) => ({
    async authenticate() {
      const token = await login.token()
      const ask = (message: string) => saslAuthenticate({ request: { encode: () => withLength(message) }, response: asText })
      const challenge = await ask(`n,,\x01auth=Bearer ${token}\x01\x01`)
      if (!challenge) return
      login.forget()
      // The end that RFC 7628 (3.2.3) asks for; the broker answers it with its error.
      await ask('\x01').catch(error => {
        throw new TokenRefused(error.message)
      })
      throw new TokenRefused(challenge)
    },
  }),
})

const lengthBytes = 4
const asText = { decode: (bytes: Buffer) => bytes, parse: (bytes: Buffer) => bytes.subarray(lengthBytes).toString() }

function withLength(message: string): Buffer {
  const body = Buffer.from(message)
  const length = Buffer.alloc(lengthBytes)
  length.writeInt32BE(body.length)
  return Buffer.concat([length, body])
}
