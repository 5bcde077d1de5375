import { Elysia } from 'elysia'

export type HeaderDeps = {
  outputOrigins: readonly string[]
  uploadOrigins: readonly string[]
  /** The API's origin, which hosts the reference page. */
  apiOrigin: string
  /** Further origins to pay at: a stand-in for Stripe. */
  checkoutOrigins: readonly string[]
  secure: boolean
}

/**
 * The content security policy: scripts, styles and requests come from the console itself. Videos and posters load from
 * the output origins, also into a ZIP; uploads go to their bucket.
 */
export const contentPolicy = ({ outputOrigins, uploadOrigins, apiOrigin, checkoutOrigins }: Omit<HeaderDeps, 'secure'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${[...outputOrigins, ...uploadOrigins].join(' ')}`.trim(),
    `media-src 'self' blob: ${outputOrigins.join(' ')}`.trim(),
    `connect-src 'self' ${[...outputOrigins, ...uploadOrigins].join(' ')}`.trim(),
    "manifest-src 'self'",
    `form-action 'self' ${apiOrigin} https://checkout.stripe.com https://billing.stripe.com ${checkoutOrigins.join(' ')}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Scripts put no text into a page as markup or code but by the policy of common.browser.js.
    "require-trusted-types-for 'script'",
    'trusted-types console',
  ].join('; ')

const yearSeconds = 31_536_000

/** Security headers on every response (OWASP ASVS V3.4). Pages are never cached. */
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
