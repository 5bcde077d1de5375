import { isReleaseBuild } from '@filmgate/kit/environment/release'
import { developmentOnly, flag, integer, list, optional, secret, text, url } from '@filmgate/kit/environment/variables'
import type { OidcProvider } from './create-auth'

/** What signing up and in is told by the environment. */
export const signInVariables = {
  /** Where mails are handed over: smtp://user:password@host:port, or smtps://. Without it they wait. */
  smtpUrl: ['FILMGATE_SMTP_URL', optional(url({ protocols: ['smtp', 'smtps'] }))],
  /** Whom mails come from, such as `Filmgate <no-reply@example.com>`. */
  mailFrom: ['FILMGATE_MAIL_FROM', optional(text({ pattern: /^[^\r\n]*@[^\r\n]+$/ }))],
  /** Another provider that people may sign in with: all four, or none. */
  oidcIssuer: ['FILMGATE_OIDC_ISSUER', optional(url({ protocols: ['https', 'http'] }))],
  oidcClientId: ['FILMGATE_OIDC_CLIENT_ID', optional(text())],
  oidcClientSecret: ['FILMGATE_OIDC_CLIENT_SECRET', optional(secret({ lengthMin: 8 }))],
  /** As its button says: “Sign in with …”. */
  oidcName: ['FILMGATE_OIDC_NAME', optional(text({ pattern: /^.{1,40}$/ }))],
  /** Whether that provider asks everybody for a second factor: its sign-in then opens the operators' pages without a code of ours. */
  oidcSecondFactor: ['FILMGATE_OIDC_SECOND_FACTOR', flag(false)],
  /** Domains whose addresses can't sign up, several with commas; and a file with one a line. */
  deniedDomains: ['FILMGATE_SIGN_UP_DENIED_DOMAINS', list({ fallback: [] })],
  deniedDomainsFile: ['FILMGATE_SIGN_UP_DENIED_DOMAINS_FILE', optional(text())],
  /** Who is given no starter credits though they may sign up: a file of domains, and how many people of one network or domain in a day; 0 is no bound. */
  starterDeniedDomainsFile: ['FILMGATE_STARTER_DENIED_DOMAINS_FILE', optional(text())],
  startersPerAddress: ['FILMGATE_STARTERS_PER_ADDRESS', integer({ min: 0, max: 1_000_000, fallback: 5 })],
  startersPerDomain: ['FILMGATE_STARTERS_PER_DOMAIN', integer({ min: 0, max: 1_000_000, fallback: 0 })],
  /** Sign-ups that one address may try in an hour. */
  signUpsPerAddress: ['FILMGATE_SIGN_UPS_PER_ADDRESS', integer({ min: 1, max: 1_000_000, fallback: 10 })],
  /** Sign-ins that one address may try in a quarter of an hour, whoever's. */
  signInsPerAddress: ['FILMGATE_SIGN_INS_PER_ADDRESS', integer({ min: 1, max: 1_000_000, fallback: 50 })],
  /** Lets the holder of the console's token make links that sign anybody in: how a newcomer's stack greets. */
  signInLinks: ['FILMGATE_SIGN_IN_LINKS', developmentOnly(flag(), isReleaseBuild)],
} as const

type Told = {
  signInLinks?: boolean
  smtpUrl?: string
  mailFrom?: string
  development: boolean
  oidcIssuer?: string
  oidcClientId?: string
  oidcClientSecret?: string
  oidcName?: string
}

/** What is told half, or would go over the wire in clear. */
export function signInFaults({
  signInLinks,
  smtpUrl,
  mailFrom,
  development,
  oidcIssuer,
  oidcClientId,
  oidcClientSecret,
  oidcName,
}: Told): string[] {
  const oidc = [oidcIssuer, oidcClientId, oidcClientSecret, oidcName].filter(each => each !== undefined)
  return [
    ...(signInLinks && !development ? ['FILMGATE_SIGN_IN_LINKS is for development (FILMGATE_DEVELOPMENT=1)'] : []),
    ...(smtpUrl !== undefined && mailFrom === undefined ? ['FILMGATE_MAIL_FROM is not set, and FILMGATE_SMTP_URL is'] : []),
    ...(oidc.length > 0 && oidc.length < 4
      ? ['FILMGATE_OIDC_ISSUER, FILMGATE_OIDC_CLIENT_ID, FILMGATE_OIDC_CLIENT_SECRET and FILMGATE_OIDC_NAME are set together or not at all']
      : []),
    ...(oidcIssuer?.startsWith('http:') && !development ? ['FILMGATE_OIDC_ISSUER must start with https:// outside development'] : []),
  ]
}

export const oidcOf = ({
  oidcIssuer: issuer,
  oidcClientId: clientId,
  oidcClientSecret: clientSecret,
  oidcName: name,
}: Told): OidcProvider | undefined => (issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name } : undefined)
