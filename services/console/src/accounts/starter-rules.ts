import { createHmac } from 'node:crypto'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { unknownAddress } from '@filmgate/kit/http/client-address'
import { isWithin, type Limit } from '../limits/take-try'
import { deniedDomains as refuseDomains, type SignUpRule } from '../people/sign-up-rules'
import { insertStarterMailbox } from './opening-repository'

export type Newcomer = { email: string; address: string | null }

/**
 * Asked once for each person, in the transaction that opens their account. The first that answers refuses starter credits, for the reason that it
 * answers; the account is opened all the same.
 */
export type StarterRule = (sql: TransactionSql, newcomer: Newcomer) => Promise<string | undefined>

export type StarterSettings = {
  authSecret: string
  /** In a day; 0 is no bound. */
  startersPerAddress: number
  startersPerDomain: number
  starterDeniedDomains: readonly string[]
}

const dayMs = 86_400_000

/** The rules as the environment tells them; the mailbox is the last, so that it is used up by nobody whom another refuses. */
export const starterRules = ({
  authSecret,
  startersPerAddress,
  startersPerDomain,
  starterDeniedDomains,
}: StarterSettings): StarterRule[] => [
  notBySignUpRule(refuseDomains(starterDeniedDomains)),
  atMost({ name: 'starter credits by address', max: startersPerAddress, by: 'address' }, ({ address }) =>
    address === unknownAddress ? null : address,
  ),
  atMost({ name: 'starter credits by domain', max: startersPerDomain }, ({ email }) => domainOf(email)),
  oncePerMailbox(authSecret),
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
  (limit: Omit<Limit, 'windowMs'>, whoOf: (newcomer: Newcomer) => string | null): StarterRule =>
  async (sql, newcomer) => {
    const who = whoOf(newcomer)
    if (limit.max === 0 || who === null) return undefined
    return (await isWithin(sql, { ...limit, windowMs: dayMs }, who)) ? undefined : `too many ${limit.name}`
  }

const oncePerMailbox =
  (secret: string): StarterRule =>
  async (sql, { email }) => {
    const key = createHmac('sha256', secret)
      .update(`starter mailbox\n${mailboxOf(email)}`)
      .digest('base64url')
    return (await insertStarterMailbox(sql, key)) ? undefined : 'mailbox had them'
  }

const domainOf = (email: string): string => email.toLowerCase().split('@').at(-1) ?? ''

/** What is delivered to one mailbox is one: what follows a plus, and at Gmail the dots, make no other. */
export function mailboxOf(email: string): string {
  const domain = domainOf(email).replace(/^googlemail\.com$/, 'gmail.com')
  const [name = ''] = email.toLowerCase().slice(0, email.lastIndexOf('@')).split('+')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
