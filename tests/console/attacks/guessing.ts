import { move } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { turnCodesOn } from '../people/codes'
import { openLogin } from '../people/command-line'
import { linkMailed } from '../people/mailbox'
import { newName, password, signInByWire, signUpByWire } from '../people/sign-up'
import { totp } from '../people/totp'
import { newAddress, openWire, type WireAnswer } from '../people/wire'

/** Of the product: so many tries at one account, whoever's address they come from. */
const triesPerAccount = 10
/** As stack.env has it, for sign-ins and for links. */
const triesPerAddress = 100

/** Of the product: so many codes of a command line are typed by one person. */
const codesPerPerson = 30

type Held = { what: string; ask(): Promise<WireAnswer> }

/** Nothing can be guessed by trying for long, from one address or from many; a restart begins no new count. */
export async function proveGuessing(report: Report): Promise<void> {
  const held = [await guessPassword(report), await guessAsOne(report), await guessCode(report), await guessConfirmation(report)]
  held.push(await guessLink(report), await guessUserCode(report))
  await move('console', 'kill')
  await move('console', 'start')
  for (const { what, ask } of held) {
    const { status } = await ask()
    report.check(`${what} is held up as before after a restart`, status === 429, String(status))
  }
}

const countOf = (answers: WireAnswer[], wanted: number): number => answers.filter(({ status }) => status === wanted).length
const manyTimes = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** At one account from many addresses, all at one moment: as many are looked at as may be, whether there is such an account or not. */
async function guessPassword(report: Report): Promise<Held> {
  const { email } = await signUpByWire('Bruno')
  for (const [whose, target] of [
    ['somebody’s', email],
    ['nobody’s', newName('Nobody').email],
  ] as const) {
    const answers = await manyTimes(triesPerAccount + 5, index =>
      openWire().post('/sign-in', { email: target, password: `wrong ${index}` }),
    )
    report.check(
      `${triesPerAccount} passwords are tried at ${whose} account`,
      countOf(answers, 400) === triesPerAccount,
      `${countOf(answers, 400)}`,
    )
    report.check(`and no more of ${whose}`, countOf(answers, 429) === 5, answers.map(({ status }) => status).join(' '))
  }
  const right = () => openWire().post('/sign-in', { email, password })
  const { status, headers } = await right()
  report.check('a right password is told from a wrong one no more', status === 429, String(status))
  report.check('it is said how long to wait', Number(headers.get('retry-after')) > 0, String(headers.get('retry-after')))
  return { what: 'an account', ask: right }
}

/** From one address at many accounts. */
async function guessAsOne(report: Report): Promise<Held> {
  const address = newAddress()
  const { email } = await signUpByWire('Carla')
  const statuses: number[] = []
  for (let sent = 0; sent <= triesPerAddress; sent += 10) {
    const answers = await manyTimes(10, () => openWire({ address }).post('/sign-in', { email: newName('Nobody').email, password: 'wrong' }))
    statuses.push(...answers.map(({ status }) => status))
  }
  const looked = statuses.filter(status => status === 400).length
  report.check(`an address tries ${triesPerAddress} accounts`, looked === triesPerAddress, String(looked))
  const right = () => openWire({ address }).post('/sign-in', { email, password })
  report.check('and not one more, be the password right', (await right()).status === 429)
  report.check('which is nobody else’s fault', (await openWire().post('/sign-in', { email, password })).status === 303)
  const forged = await openWire({ address: `${newAddress()}, ${address}` }).post('/sign-in', { email, password })
  report.check('an address that the client names before the proxy’s counts for nothing', forged.status === 429, String(forged.status))
  return { what: 'an address', ask: right }
}

/** The second step, spread over many sign-ins with the right password. */
async function guessCode(report: Report): Promise<Held> {
  const { email, wire } = await signUpByWire('Tom')
  const secret = await turnCodesOn(wire)
  const withPassword = async () => {
    const browser = openWire()
    const { location } = await browser.post('/sign-in', { email, password, next: '/' })
    if (!location?.startsWith('/sign-in/second')) throw new Error(`no code is asked for: ${location}`)
    return browser
  }
  report.check('the password alone opens nothing', (await (await withPassword()).get('/')).location?.startsWith('/sign-in') === true)
  const right = totp(secret, 1)
  const statuses: number[] = []
  for (let guess = 0; guess < triesPerAccount + 3; guess++) {
    const code = String((Number(right) + 1 + guess) % 1_000_000).padStart(6, '0')
    statuses.push((await (await withPassword()).post('/sign-in/second', { code, next: '/' })).status)
  }
  const looked = statuses.filter(status => status === 400).length
  report.check(
    'codes are guessed at ten times and no more',
    looked > 0 && looked <= triesPerAccount && statuses.at(-1) === 429,
    statuses.join(' '),
  )
  const ask = async () => (await withPassword()).post('/sign-in/second', { code: totp(secret, 1), next: '/' })
  report.check('a right code is told from a wrong one no more', (await ask()).status === 429)
  return { what: 'a second step', ask }
}

/** The password again, by whoever has a session that is somebody else's: in one browser or in many. */
async function guessConfirmation(report: Report): Promise<Held> {
  const { email, wire } = await signUpByWire('Cora')
  const wires = [wire, await signInByWire(email), await signInByWire(email)]
  const answers = await manyTimes(triesPerAccount + 5, index =>
    (wires[index % wires.length] ?? wire).post('/security/confirm', { password: `wrong ${index}`, next: '/security' }),
  )
  const looked = countOf(answers, 400)
  report.check(`${triesPerAccount} passwords are tried at a confirmation`, looked === triesPerAccount, String(looked))
  report.check('and no more of it', countOf(answers, 429) === 5, answers.map(({ status }) => status).join(' '))
  const right = () => wire.post('/security/confirm', { password, next: '/security' })
  const { status } = await right()
  report.check('a right password confirms nothing more then', status === 429, String(status))
  return { what: 'a confirmation', ask: right }
}

/** The secret of a mailed link, from one address. */
async function guessLink(report: Report): Promise<Held> {
  const { email } = await signUpByWire('Lena')
  await openWire().post('/reset', { email })
  const token = new URL(await linkMailed(email, '/reset?token=')).searchParams.get('token') ?? ''
  const address = newAddress()
  const statuses: number[] = []
  for (let sent = 0; sent <= triesPerAddress; sent += 10) {
    const answers = await manyTimes(10, () =>
      openWire({ address }).post('/reset/set', { token: crypto.randomUUID(), password: 'a guess of many words' }),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  const looked = statuses.filter(status => status === 410).length
  report.check(`an address tries ${triesPerAddress} links`, looked === triesPerAddress, String(looked))
  const ask = () => openWire({ address }).post('/reset/set', { token, password: 'an answer of many words' })
  report.check('and not one more, be it the right one', (await ask()).status === 429)
  const elsewhere = await openWire().post('/reset/set', { token, password: 'an answer of many words' })
  report.check('its owner’s link works on', elsewhere.status === 303, String(elsewhere.status))
  const back = await signInByWire(email, 'an answer of many words').catch((error: Error) => error)
  report.check('and signs its owner in', !(back instanceof Error), String(back))
  return { what: 'a link', ask }
}

/** The code of somebody else's command line, by a person, in one browser or in many. */
async function guessUserCode(report: Report): Promise<Held> {
  const { email, wire } = await signUpByWire('Udo')
  const wires = [wire, await signInByWire(email)]
  const { verification_uri_complete: uri } = (await openLogin('laptop', newAddress())).body
  const right = new URL(uri)
  const answers = await manyTimes(codesPerPerson + 5, index =>
    (wires[index % wires.length] ?? wire).get(`/device?user_code=BBBB-BBB${'BCDFGHJKLM'[index % 10]}`),
  )
  const looked = countOf(answers, 400)
  report.check(`${codesPerPerson} codes of command lines are tried by a person`, looked === codesPerPerson, String(looked))
  const ask = () => wire.get(`${right.pathname}${right.search}`)
  report.check('and not one more, be it the right one', (await ask()).status === 429)
  return { what: 'a code of a command line', ask }
}
