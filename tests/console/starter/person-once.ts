import { consoleOf } from '../../support/client/console'
import { operate } from '../../support/operator/operator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { linkMailed } from '../people/mailbox'
import { type Named, newName, password, signUpByWire } from '../people/sign-up'
import { hiddenIn, openWire, type Wire } from '../people/wire'
import { purseOf } from './purse'

type Changes = { data: { balance: string; kind: string; credits: number }[] }

/** Whoever is verified has them once, whatever they do then; whoever isn't has nothing. Returns how many there are. */
export async function provePersonOnce(report: Report): Promise<number> {
  const { wire, accountId, name, email } = await signUpByWire('Dina')
  const { starter, paid } = await purseOf(accountId)
  const { data } = await consoleOf(accountId).read<Changes>('/credit-changes')
  const granted = data.map(({ kind, balance, credits }) => `${kind} ${balance} ${credits}`).join()
  report.check('a verified person has starter credits, and no others', starter > 0 && paid === 0, `${starter} and ${paid}`)
  report.check('they are one grant', granted === `grant starter ${starter}`, granted)

  const form = hiddenIn((await wire.get('/accounts')).text, 'form')
  const second = accountAt((await wire.post('/accounts', { form, name: 'Another' })).location)
  await atGateway(second)
  const person = await personIn(wire)
  for (const id of [accountId, second]) {
    const { text } = await consoleOf(id).ask('POST', '/starter-credits', { person })
    report.check('who asks again is granted none', JSON.parse(text).granted === false, text)
  }
  report.check('a second account of the person has none', (await purseOf(second)).starter === 0)
  report.check('and the first has not more', (await purseOf(accountId)).starter === starter)

  await proveMailbox(report, email)
  await proveReturn(report, wire, { name, email }, { [accountId]: name, [second]: 'Another' })
  await proveUnverified(report, starter)
  return starter
}

/** Mail for a name with a plus arrives where that for the name does. */
async function proveMailbox(report: Report, email: string): Promise<void> {
  const alias = { ...newName('Alias'), email: email.replace('@', '+once-more@') }
  const accountId = await signUpAgain(alias)
  report.check('another person of the same mailbox has none', (await purseOf(accountId)).starter === 0)
}

/** Deletes the accounts and the sign-in, and signs up under the same address. */
async function proveReturn(report: Report, wire: Wire, person: Named, accounts: Record<string, string>): Promise<void> {
  const former = await linkMailed(person.email, '/verify')
  for (const [id, name] of Object.entries(accounts)) {
    const path = `/accounts/${id}/settings/delete`
    const { location } = await wire.post(path, { form: hiddenIn((await wire.get(path)).text, 'form'), name })
    report.check('the account is deleted', location === '/accounts?done=closed', String(location))
  }
  const { location } = await wire.post('/security/delete', { email: person.email })
  report.check('the sign-in is deleted', location === '/sign-in?done=deleted', String(location))
  const accountId = await signUpAgain(person, former)
  report.check('who deleted everything and comes back has none', !accounts[accountId] && (await purseOf(accountId)).starter === 0)
}

async function proveUnverified(report: Report, starter: number): Promise<void> {
  const { name, email } = newName('Uma')
  const wire = openWire()
  await wire.post('/sign-up', { name, email, password, next: '/' })
  const link = new URL(await linkMailed(email, '/verify'))
  const opened = await wire.get(link.pathname + link.search)
  report.check('a link that is only opened confirms nothing', opened.status === 200 && (await accountsOf(name)).length === 0)
  const { location } = await wire.get('/')
  report.check('whoever isn’t verified is not signed in', location?.startsWith('/sign-in') === true, String(location))
  const signIn = await openWire().post('/sign-in', { email, password, next: '/' })
  report.check('nor by the password', signIn.location !== '/' && (await accountsOf(name)).length === 0, String(signIn.location))

  const token = link.searchParams.get('token') ?? ''
  const answers = await Promise.all(Array.from({ length: 10 }, () => wire.post('/verify', { token })))
  const done = answers.filter(({ status }) => status === 303).length
  report.check('of ten confirmations at once one is taken', done === 1, answers.map(({ status }) => status).join(' '))
  const accountId = await until('the account', async () => (await accountsOf(name))[0])
  // The ledger learns of an account after the console.
  await until('its starter credits', async () => (await purseOf(accountId).catch(() => undefined))?.starter === starter)
  const accounts = await accountsOf(name)
  report.check('it opened one account', accounts.length === 1, accounts.join())
  report.check('with the credits of one', (await purseOf(accountId)).starter === starter)
}

/** Without a wait for starter credits; `former` is a link that has been mailed to the address before. */
async function signUpAgain({ name, email }: Named, former?: string): Promise<string> {
  const wire = openWire()
  await wire.post('/sign-up', { name, email, password, next: '/' })
  const link = await until('the new link', async () => {
    const mailed = await linkMailed(email, '/verify')
    return mailed !== former && mailed
  })
  const { status, text } = await wire.post('/verify', { token: new URL(link).searchParams.get('token') ?? '' })
  if (status !== 303) throw new Error(`verify: ${status} ${text}`)
  const accountId = accountAt((await wire.get('/')).location)
  await atGateway(accountId)
  return accountId
}

function accountAt(location: string | null): string {
  const [, accountId] = /^\/accounts\/([^/?]+)/.exec(location ?? '') ?? []
  if (!accountId) throw new Error(`no account at ${location}`)
  return accountId
}

/** The ledger knows it; whatever it is granted was granted with its opening, or is not at all. */
const atGateway = (accountId: string) =>
  until('the account at the ledger', () =>
    purseOf(accountId).then(
      () => true,
      () => false,
    ),
  )

const accountsOf = async (name: string): Promise<string[]> => {
  const { data } = await operate<{ data: { account_id: string }[] }>('gateway', 'GET', `/accounts?name=${encodeURIComponent(name)}`)
  return data.map(({ account_id }) => account_id)
}

/** The person's id, as their own data have it. */
async function personIn(wire: Wire): Promise<string> {
  const lines = (await wire.get('/security/export')).text.trim().split('\n')
  const person = lines.map(line => JSON.parse(line)).find(({ type }) => type === 'person')
  return person.id
}
