import { Elysia } from 'elysia'

export type HeaderDeps = {
  outputOrigins: readonly string[]
  uploadOrigins: readonly string[]
  /** Where the reference is, to which a key is lent. */
  apiOrigin: string
  /** Where people pay besides Stripe's own hosts: a stand-in. */
  checkoutOrigins: readonly string[]
  secure: boolean
}

/** Scripts, styles and requests are the console's own; videos and posters come from where outputs are kept, uploads go to their bucket. */
export const contentPolicy = ({ outputOrigins, uploadOrigins, apiOrigin, checkoutOrigins }: Omit<HeaderDeps, 'secure'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${[...outputOrigins, ...uploadOrigins].join(' ')}`.trim(),
    `media-src 'self' blob: ${outputOrigins.join(' ')}`.trim(),
    `connect-src 'self' ${uploadOrigins.join(' ')}`.trim(),
    "manifest-src 'self'",
    `form-action 'self' ${apiOrigin} https://checkout.stripe.com https://billing.stripe.com ${checkoutOrigins.join(' ')}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const yearSeconds = 31_536_000

/** On every answer of the console, as OWASP's ASVS asks (V3.4); pages are nobody's to keep. */
export const headers = (deps: HeaderDeps) => {
  const policy = contentPolicy(deps)
  return new Elysia({ name: 'headers' }).onRequest(function setHeaders({ set }) {
    Object.assign(set.headers, {
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      'cache-control': 'no-store',
      ...(deps.secure && { 'strict-transport-security': `max-age=${yearSeconds}; includeSubDomains` }),
    })
  })
}
