const prefix = 'whsec_'
const keyBytesMin = 24
const keyBytesMax = 64
const charactersMin = 16
const charactersMax = 256

/** The form of a secret that a client brings, in words. */
export const signingSecretForm = `${prefix} and the base64 of ${keyBytesMin} to ${keyBytesMax} bytes, or a text of ${charactersMin} to ${charactersMax} characters`

export function isSigningSecret(secret: unknown): secret is string {
  if (typeof secret !== 'string') return false
  if (!secret.startsWith(prefix)) return secret.length >= charactersMin && secret.length <= charactersMax
  const key = signingKey(secret)
  return `${prefix}${key.toString('base64')}` === secret && key.length >= keyBytesMin && key.length <= keyBytesMax
}

/** A secret in the form of Standard Webhooks writes its key in base64. Any other is the key itself, in UTF-8. */
export const signingKey = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'utf8')
