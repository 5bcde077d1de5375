import { domainToASCII } from 'node:url'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { unknownAddress } from '@filmgate/kit/http/client-address'
import { getDomain } from 'tldts-icann'
import { signatureOf } from '../auth/signature'
import { isWithinLimit, type Limit } from '../limits/enforce-limit'
import { deniedDomains as refuseDomains, type SignUpRule } from '../people/sign-up-rules'
import { mailProviders } from './mail-providers'
import { insertStarterMailbox } from './opening-repository'

export type Newcomer = { email: string; address: string | null }

/**
 * Runs once per person, in the transaction that opens their account. The first rule that returns a reason denies
 * starter credits; the account is opened anyway.
 */
export type StarterRule = (sql: TransactionSql, newcomer: Newcomer) => Promise<string | undefined>

export type StarterSettings = {
  authSecrets: Secrets
  /** Per network and day; 0 means no limit. */
  startersPerAddress: number
  /** Per registrable domain and 30 days, except at mail providers; 0 means no limit. */
  startersPerDomain: number
  /** Domains of mail providers besides the known ones. */
  starterMailProviders: readonly string[]
  starterDeniedDomains: readonly string[]
}

const dayMs = 86_400_000
/** Whoever owns a domain has any number of its addresses every day. Colleagues are invited into one account. */
const domainWindowMs = 30 * dayMs

/**
 * The configured rules. The mailbox rule is last, so that a person whom another rule rejects doesn't use up their
 * mailbox.
 */
export const starterRules = ({
  authSecrets,
  startersPerAddress,
  startersPerDomain,
  starterMailProviders,
  starterDeniedDomains,
}: StarterSettings): StarterRule[] => [
  notBySignUpRule(refuseDomains(starterDeniedDomains)),
  atMost({ name: 'starter credits by address', max: startersPerAddress, windowMs: dayMs, by: 'address' }, ({ address }) =>
    address === unknownAddress ? null : address,
  ),
  atMost({ name: 'starter credits by domain', max: startersPerDomain, windowMs: domainWindowMs }, ownDomain(starterMailProviders)),
  oncePerMailbox(authSecrets),
]

export async function starterRefusal(sql: TransactionSql, rules: readonly StarterRule[], newcomer: Newcomer): Promise<string | undefined> {
  for (const rule of rules) {
    const reason = await rule(sql, newcomer)
    if (reason !== undefined) return reason
  }
  return undefined
}

const notBySignUpRule =
  (rule: SignUpRule): StarterRule =>
  async (_, { email }) =>
    rule(email) === undefined ? undefined : 'denied domain'

const atMost =
  (limit: Limit, keyOf: (newcomer: Newcomer) => string | null): StarterRule =>
  async (sql, newcomer) => {
    const key = keyOf(newcomer)
    if (limit.max === 0 || key === null) return undefined
    return (await isWithinLimit(sql, limit, key)) ? undefined : `too many ${limit.name}`
  }

const oncePerMailbox =
  (secrets: Secrets): StarterRule =>
  async (sql, { email }) =>
    (await insertStarterMailbox(sql, mailboxKeys(secrets, email))) ? undefined : 'mailbox had them'

/** What a mailbox is kept as: under the first secret, and as it may stand there under each of the others. */
export const mailboxKeys = ([current, ...accepted]: Secrets, email: string): [string, ...string[]] => {
  const keyOf = (secret: string) => signatureOf(secret, `starter mailbox\n${mailboxOf(email)}`)
  return [keyOf(current), ...accepted.map(keyOf)]
}

const domainOf = (email: string): string => email.toLowerCase().split('@').at(-1) ?? ''

/** The domain that somebody registered to have the address, whichever subdomain it names; null at a mail provider. */
function ownDomain(furtherProviders: readonly string[]): (newcomer: Newcomer) => string | null {
  const shared = new Set([...mailProviders, ...furtherProviders.map(asciiOf)])
  return ({ email }) => {
    const domain = asciiOf(domainOf(email))
    return shared.has(domain) ? null : (getDomain(domain) ?? domain)
  }
}

/** What has no such form, as an address of IP, is its own. */
const asciiOf = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

/** Normalizes an address to its mailbox: drops what follows a plus and, for Gmail, the dots. */
export function mailboxOf(email: string): string {
  const domain = domainOf(email).replace(/^googlemail\.com$/, 'gmail.com')
  const [name = ''] = email.toLowerCase().slice(0, email.lastIndexOf('@')).split('+')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
