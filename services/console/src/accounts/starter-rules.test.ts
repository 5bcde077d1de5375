import { afterAll, expect, test } from 'bun:test'
import { openAdditionalAccount } from '../account-list/open-additional-account'
import { signUpPerson, testConsole } from '../testing/test-console'
import { mailboxOf } from './starter-rules'

const it = await testConsole({ starters: { startersPerAddress: 2, startersPerDomain: 3, starterDeniedDomains: ['thrown-away.example'] } })
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

test('one network, and one domain, has so many newcomers with starter credits in a day, also at one moment', async () => {
  const network = await Promise.all([1, 2, 3, 4].map(index => starterOf(`a@network${index}.example`, `2001:db8::${index}`)))
  expect(network.toSorted()).toEqual(['given', 'given', ...Array.from({ length: 2 }, () => 'refused: too many starter credits by address')])
  const domain: string[] = []
  for (const index of [1, 2, 3, 4]) domain.push(await starterOf(`person${index}@one.example`, `192.0.2.${40 + index}`))
  expect(domain).toEqual(['given', 'given', 'given', 'refused: too many starter credits by domain'])
  await it.sql`update tries set ends_at = now()`
  expect(await starterOf('person5@one.example', '192.0.2.41')).toBe('given')
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
