import { isReleaseBuild } from '@filmgate/kit/environment/release'
import { developmentOnly, flag, integer, list, optional, secret, text, url } from '@filmgate/kit/environment/variables'
import type { OidcProvider } from './create-auth'

/** Environment variables of sign-up and sign-in. */
export const signInVariables = {
  /** The SMTP server: smtp://user:password@host:port, or smtps://. Mails stay queued if it is not set. */
  smtpUrl: ['FILMGATE_SMTP_URL', optional(url({ protocols: ['smtp', 'smtps'] }))],
  /** The sender, such as `Filmgate <no-reply@example.com>`. */
  mailFrom: ['FILMGATE_MAIL_FROM', optional(text({ pattern: /^[^\r\n]*@[^\r\n]+$/ }))],
  /** An external OIDC provider: set all four variables, or none. */
  oidcIssuer: ['FILMGATE_OIDC_ISSUER', optional(url({ protocols: ['https', 'http'] }))],
  oidcClientId: ['FILMGATE_OIDC_CLIENT_ID', optional(text())],
  oidcClientSecret: ['FILMGATE_OIDC_CLIENT_SECRET', optional(secret({ lengthMin: 8 }))],
  /** The button's label: “Sign in with …”. */
  oidcName: ['FILMGATE_OIDC_NAME', optional(text({ pattern: /^.{1,40}$/ }))],
  /**
   * Whether the OIDC provider asks everybody for a second factor. Its sign-in then opens the operators' pages without a
   * code.
   */
  oidcSecondFactor: ['FILMGATE_OIDC_SECOND_FACTOR', flag(false)],
  /** Domains whose addresses can't sign up: comma-separated, and a file with one per line. */
  deniedDomains: ['FILMGATE_SIGN_UP_DENIED_DOMAINS', list({ fallback: [] })],
  deniedDomainsFile: ['FILMGATE_SIGN_UP_DENIED_DOMAINS_FILE', optional(text())],
  /**
   * Limits on starter credits: a file of denied domains, people per network and day, and people per registrable domain
   * and 30 days. 0 means no limit. The domains of further mail providers have none.
   */
  starterDeniedDomainsFile: ['FILMGATE_STARTER_DENIED_DOMAINS_FILE', optional(text())],
  startersPerAddress: ['FILMGATE_STARTERS_PER_ADDRESS', integer({ min: 0, max: 1_000_000, fallback: 5 })],
  startersPerDomain: ['FILMGATE_STARTERS_PER_DOMAIN', integer({ min: 0, max: 1_000_000, fallback: 2 })],
  starterMailProviders: ['FILMGATE_STARTER_MAIL_PROVIDERS', list({ fallback: [] })],
  /** Sign-ups per IP address and hour. */
  signUpsPerAddress: ['FILMGATE_SIGN_UPS_PER_ADDRESS', integer({ min: 1, max: 1_000_000, fallback: 10 })],
  /** Sign-in attempts per IP address and 15 minutes, for any account. */
  signInsPerAddress: ['FILMGATE_SIGN_INS_PER_ADDRESS', integer({ min: 1, max: 1_000_000, fallback: 50 })],
  /** Lets the holder of the console's token create sign-in links for anyone. Used by local stacks. */
  signInLinks: ['FILMGATE_SIGN_IN_LINKS', developmentOnly(flag(), isReleaseBuild)],
} as const

type SignInSettings = {
  signInLinks?: boolean
  smtpUrl?: string
  mailFrom?: string
  development: boolean
  oidcIssuer?: string
  oidcClientId?: string
  oidcClientSecret?: string
  oidcName?: string
}

/** Incomplete or insecure settings. */
export function signInFaults({
  signInLinks,
  smtpUrl,
  mailFrom,
  development,
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  oidcName,
}: SignInSettings): string[] {
  const oidc = [oidcIssuer, oidcClientId, oidcClientSecret, oidcName].filter(each => each !== undefined)
  return [
    ...(signInLinks && !development ? ['FILMGATE_SIGN_IN_LINKS is for development (FILMGATE_DEVELOPMENT=1)'] : []),
    ...(smtpUrl !== undefined && mailFrom === undefined ? ['FILMGATE_MAIL_FROM must be set, because FILMGATE_SMTP_URL is'] : []),
    ...(oidc.length > 0 && oidc.length < 4
      ? ['FILMGATE_OIDC_ISSUER, FILMGATE_OIDC_CLIENT_ID, FILMGATE_OIDC_CLIENT_SECRET and FILMGATE_OIDC_NAME are set together or not at all']
      : []),
    ...(oidcIssuer?.startsWith('http:') && !development ? ['FILMGATE_OIDC_ISSUER must start with https:// outside development'] : []),
  ]
}

export const oidcProvider = ({
  oidcIssuer: issuer,
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  oidcName: name,
}: SignInSettings): OidcProvider | undefined =>
  issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name } : undefined
