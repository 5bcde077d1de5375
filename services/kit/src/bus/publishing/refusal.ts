/** Whether a broker is there and refuses us, or we refuse it; unlike one that does not answer. */
export function refusalOf(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one.name === 'NoTokenError') return `no token for the broker: ${one.message}`
    if (one.name === 'TokenRefused') return 'broker refuses the token'
    if (one.name === 'KafkaJSSASLAuthenticationError')
      return /mechanism is not supported/.test(one.message)
        ? 'broker does not offer this SASL mechanism'
        : 'broker refuses the user name or password'
    const code = 'code' in one && typeof one.code === 'string' ? one.code : ''
    if (/ALERT/.test(code)) return 'broker refuses our certificate, or asks for one'
    if (ofCertificate.test(code)) return "broker's certificate is not trusted"
  }
  return undefined
}

/** OpenSSL's names of what is wrong with a chain, and of a name that is not in the certificate. */
const ofCertificate = /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED|ALTNAME/
