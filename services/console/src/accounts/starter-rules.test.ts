import { afterAll, expect, test } from 'bun:test'
import { openAdditionalAccount } from '../account-list/open-additional-account'
import { readConfig } from '../config'
import { signUpPerson, testConsole } from '../testing/test-console'
import { mailboxOf } from './starter-rules'

const it = await testConsole({
  starters: {
    startersPerAddress: 2,
    startersPerDomain: 3,
    starterMailProviders: ['Post.Example'],
    starterDeniedDomains: ['thrown-away.example'],
  },
})
afterAll(it.drop)

/** Signs a person up from an IP address. Returns whether they got starter credits, or why not. */
async function starterOf(email: string, address: string): Promise<string> {
  await signUpPerson(it, it.browser(address), email)
  const [row] = await it.sql<{ starter: boolean; rule: string | null }[]>`
    select starter, (select details ->> 'rule' from audit_act where act = 'starter_credits.refused' and person_id = person.id) as rule
    from person join account_opening on person_id = person.id where email = ${email}`
  return row?.starter ? 'given' : `refused: ${row?.rule}`
}

test('whoever deletes themselves and comes again, or comes by another name of the mailbox, is not new', async () => {
  expect(await starterOf('ada.lovelace@gmail.com', '192.0.2.10')).toBe('given')
  await it.sql`delete from person where email = 'ada.lovelace@gmail.com'`
  const again = ['ada.lovelace@gmail.com', 'adalovelace+two@gmail.com', 'ada.love.lace@googlemail.com']
  for (const [index, email] of again.entries()) expect(await starterOf(email, `192.0.2.${20 + index}`)).toBe('refused: mailbox had them')
  expect(await it.sql`select 1 from starter_mailbox where key like '%lace%'`).toHaveLength(0)
})

test('one network has so many newcomers with starter credits in a day, one domain in 30 days, also at one moment', async () => {
  const network = await Promise.all([1, 2, 3, 4].map(index => starterOf(`a@network${index}.example`, `2001:db8::${index}`)))
  expect(network.toSorted()).toEqual(['given', 'given', ...Array.from({ length: 2 }, () => 'refused: too many starter credits by address')])
  const domain: string[] = []
  for (const index of [1, 2, 3, 4]) domain.push(await starterOf(`person${index}@one.example`, `192.0.2.${40 + index}`))
  expect(domain).toEqual(['given', 'given', 'given', 'refused: too many starter credits by domain'])
  const [longest] = await it.sql<{ days: number }[]>`select max(round(extract(epoch from ends_at - now()) / 86400))::int as days from tries`
  expect(longest?.days).toBe(30)
  await it.sql`update tries set ends_at = now()`
  expect(await starterOf('person5@one.example', '192.0.2.41')).toBe('given')
})

test('a domain counts with all its subdomains, and another one below the same public suffix does not', async () => {
  const of = async (emails: string[], network: string) => {
    const outcomes: string[] = []
    for (const [index, email] of emails.entries()) outcomes.push(await starterOf(email, `${network}.${10 + index}`))
    return outcomes
  }
  const all = ['a@catch.co.uk', 'b@mail.catch.co.uk', 'c@x.y.catch.co.uk', 'd@z.catch.co.uk', 'a@other.co.uk']
  const refused = 'refused: too many starter credits by domain'
  expect(await of(all, '198.51.100')).toEqual(['given', 'given', 'given', refused, 'given'])
})

test('at a mail provider nobody uses up what others get, but one person’s subdomain there is one domain', async () => {
  const at = async (domain: string, network: string) => {
    const outcomes: string[] = []
    for (const index of [1, 2, 3, 4, 5]) outcomes.push(await starterOf(`person${index}@${domain}`, `${network}.${index}`))
    return outcomes.filter(outcome => outcome === 'given').length
  }
  expect([await at('outlook.com', '203.0.113'), await at('post.example', '198.18.0'), await at('me.fastmail.com', '198.18.1')]).toEqual([
    5, 5, 3,
  ])
})

test('a console for which nothing is set gives them to two people of a domain', () => {
  const required = {
    DATABASE_URL: 'postgres://u:p@h/d',
    FILMGATE_CONSOLE_URL: 'https://console.example.com',
    FILMGATE_GATEWAY_URL: 'http://gateway',
    FILMGATE_API_URL: 'https://api.example.com/api/v1',
    FILMGATE_CONSOLE_TOKEN: 'a-token-of-24-characters',
    FILMGATE_CONSOLE_SECRET: 'a-secret-of-at-least-32-characters',
  }
  expect(readConfig(required)).toMatchObject({ startersPerDomain: 2, startersPerAddress: 5, starterMailProviders: [] })
})

test('people whose addresses are unknown are not of one network', async () => {
  for (const index of [1, 2, 3]) expect(await starterOf(`a@nowhere${index}.example`, 'unknown')).toBe('given')
})

test('a domain may sign up and be given none', async () => {
  expect(await starterOf('a@mail.thrown-away.example', '192.0.2.60')).toBe('refused: denied domain')
})

test('another account of the same person is given none', async () => {
  const email = 'two@accounts.example'
  expect(await starterOf(email, '192.0.2.70')).toBe('given')
  const [person] = await it.sql<{ id: string }[]>`select id from person where email = ${email}`
  const accountId = await openAdditionalAccount(
    it,
    { id: person?.id ?? '', email, name: 'Two', emailVerified: true, sessionId: '', address: null },
    'Second',
  )
  expect([...(await it.sql`select starter from account_opening where account_id = ${accountId ?? ''}`)]).toEqual([{ starter: false }])
})

test('mailboxes', () => {
  expect(['A.b+c@Example.com', 'A.b+c@GoogleMail.com'].map(mailboxOf)).toEqual(['a.b@example.com', 'ab@gmail.com'])
})
