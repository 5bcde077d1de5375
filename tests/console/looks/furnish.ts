import { createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { sampleMedia } from '../../support/client/sample-media'
import { refuseRows } from '../../support/servers/databases'
import { deadLetters, type Letter } from '../../support/servers/dead-letters'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'
import { turnCodesOn } from '../people/codes'
import { linkMailed } from '../people/mailbox'
import { openOperator } from '../people/operators'
import { type Newcomer, newName, password, signUpByWire } from '../people/sign-up'
import { hiddenIn, openWire, type Wire } from '../people/wire'
import { addEndpoint, addViewer, askForGrant, capSpending, settleOtherwise } from './furnish-states'

export type Furnished = {
  owner: Newcomer
  operator: Wire
  /** Somebody with nothing yet. */
  newcomer: Newcomer
  /** Somebody who is asked for a code after the password. */
  careful: Newcomer
  /** Those who belong to the owner's account with less to do there. */
  member: Newcomer
  viewer: Newcomer
  tasks: { done: string; files: string; failed: string; running: string; held: string }
  key: string
  /** A webhook endpoint, with a delivery. */
  endpoint: string
  purchase: string
  paidBack: string
  inReview: string
  /** An address whose password is tried too often. */
  guessed: string
  /** The operators' page of the owner. */
  person: string
  /** Paths with a token in them. */
  links: { verify: string; reset: string; invitation: string; invitationOfNewcomer: string; invitationUsed: string; stop: string }
  letter: Letter
}

const small = { model: 'alpha-h3-fast', duration: 1, resolution: '480p' }
const longPrompt =
  'A slow crane shot over a harbour town at first light: gulls over wet slate roofs, a fishing boat leaving with its lamps still lit, ' +
  'steam from a bakery, a child at a window; the camera comes down to the quay and stays there while the boat passes close by. ' +
  'Grain of sixteen millimetre film, muted blues, one warm lamp. No words, no music. SupercalifragilisticexpialidociousWithoutAnyPlaceToBreakIt'

/** An account in use: names as long as people choose them, videos in every state, keys, a purchase, people, invitations. */
export async function furnish(): Promise<Furnished> {
  const [owner, newcomer, operator, member, careful] = await Promise.all([
    signUpByWire('Aurelia'),
    signUpByWire('Newcomer'),
    openOperator('money'),
    signUpByWire('Maximiliane'),
    signUpByWire('Careful'),
  ])
  await turnCodesOn(careful.wire)
  const { accountId, wire } = owner
  await wire.post(`/accounts/${accountId}/settings/name`, { name: 'Northern Lights Film and Television Production Company' })
  const account = consoleOf(accountId)
  await account.ask('PUT', `/grants/${crypto.randomUUID()}`, { body: { credits: 12_345, balance: 'paid', reason: 'for the looks' } })
  await until('the credits', async () => (await account.account()).available_credits === 12_345)
  const purchase = await buyPack(wire, accountId)
  const { available_credits } = await account.account()
  // Whatever is spent from here on is told of by mail, with a link that ends such mails.
  await wire.post(`/accounts/${accountId}/e-mails`, { task_ended: 'long', low_balance: String(available_credits) })
  const tasks = await makeTasks(accountId)
  const letter = await setAside()
  const key = await makeKeys(wire, accountId)
  const endpoint = await addEndpoint(owner)
  await capSpending(owner, key)
  const links = await makeLinks(owner, member, newcomer)
  const viewer = await addViewer(owner)
  await askForGrant(accountId)
  const guessed = newName('Guessed').email
  const purchases = { purchase, ...(await settleOtherwise(owner)) }
  const person = (await operator.get(`/operate/search?text=${encodeURIComponent(owner.email)}`)).location ?? ''
  return { owner, newcomer, careful, member, viewer, operator, tasks, key, endpoint, ...purchases, guessed, person, links, letter }
}

/** One paid, and one whose checkout was left. */
async function buyPack(wire: Wire, accountId: string): Promise<string> {
  const billing = `/accounts/${accountId}/billing`
  const buy = async () => {
    const { text } = await wire.get(billing)
    const fields = Object.fromEntries(['form', 'pack', 'terms'].map(name => [name, hiddenIn(text, name)]))
    return (await wire.post(`${billing}/purchases`, fields)).location ?? ''
  }
  const back = await fetch(await buy(), { method: 'POST', redirect: 'manual' })
  const path = new URL(back.headers.get('location') ?? '').pathname
  await until('the purchase to be granted', async () => (await wire.get(path)).text.includes('The credits are in your balance'))
  await buy()
  return path
}

async function makeTasks(accountId: string): Promise<Furnished['tasks']> {
  const account = consoleOf(accountId)
  const { api_key } = await createKey(accountId)
  const api = createApi(api_key)
  const words = (text: string) => `${text} (${crypto.randomUUID().slice(0, 8)})`
  const [done, failed, held, running] = [
    words(longPrompt),
    words('Something that the provider will not show'),
    words('Whose outcome nobody knows'),
    words('A paper boat on a rainy street'),
  ]
  await simulator.behave(failed, [{ name: 'moderated' }])
  await simulator.behave(running, [{ name: 'never_finishes' }])
  await simulator.behave(held, [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 1_000 }])
  const ended = async (id: string) => (await account.taskOnce(id)).id
  const doneId = await ended((await account.generate({ ...small, prompt: done })).body.id)
  const frames = { mode: 'image-to-video', image_url: sampleMedia('first1.jpg'), end_image_url: sampleMedia('last1.jpg') }
  const filesId = await ended(
    (await account.generate({ ...small, ...frames, prompt: words('The harbour, from one picture to another') })).body.id,
  )
  const failedId = await ended((await account.generate({ ...small, prompt: failed })).body.id)
  for (const prompt of ['Rain on a tin roof, close', 'A lighthouse in fog', 'Two cats on a warm engine'])
    await ended((await api.generate({ ...small, prompt: words(prompt) })).body.id)
  await api.generate({ ...small, duration: 4_000, resolution: '1p', prompt: '' })
  await api.task('vt_that_nobody_has')
  const uncertain = (await account.generate({ ...small, prompt: held })).body
  const runningId = (await account.generate({ ...small, prompt: running })).body.id
  return {
    done: doneId,
    files: filesId,
    failed: failedId,
    running: runningId,
    held: uncertain.id ?? uncertain.error?.details?.task_id ?? '',
  }
}

/** A request that the ledger could not keep: it waits for an operator, also once its task went another way. */
async function setAside(): Promise<Letter> {
  const { accountId, api } = await openAccount({ credits: 100 })
  const accept = await refuseRows(['ledger', 'reservation'], accountId)
  void api.generate({ ...small, prompt: crypto.randomUUID() }).catch(() => undefined)
  const found = async () => (await deadLetters()).find(({ key }) => key === accountId)
  return await until('a letter', found, 60_000).finally(accept)
}

/** One that works, one that was revoked, one that ends some day. */
async function makeKeys(wire: Wire, accountId: string): Promise<string> {
  const keys = `/accounts/${accountId}/keys`
  for (const [name, expires] of [
    ['Website', 'never'],
    ['Render farm in Reykjavík, second floor, the machine next to the window', '90'],
    ['Old laptop', '30'],
  ] as const)
    await wire.post(keys, { form: hiddenIn((await wire.get(keys)).text, 'form'), name, expires, date: '' })
  type Key = { key_id: string; name: string }
  const { data } = await consoleOf(accountId).read<{ data: Key[] }>('/keys')
  const idOf = (name: string) => data.find(key => key.name === name)?.key_id ?? ''
  await wire.post(`${keys}/${idOf('Old laptop')}/revoke`)
  return idOf('Website')
}

async function makeLinks({ wire, accountId, email }: Newcomer, member: Newcomer, newcomer: Newcomer): Promise<Furnished['links']> {
  const invite = async (email: string, role: string) => {
    await wire.post(`/accounts/${accountId}/members/invitations`, { email, role })
    return new URL(await linkMailed(email, '/invitations/')).pathname
  }
  const invitationUsed = await invite(member.email, 'member')
  await member.wire.post(invitationUsed)
  const invitation = await invite(newName('Somebody-with-a-very-long-address-of-theirs').email, 'viewer')
  const unverified = newName('Unverified')
  await openWire().post('/sign-up', { ...unverified, password, next: '/' })
  await openWire().post('/reset', { email: member.email })
  const pathOf = (link: string) => new URL(link).pathname + new URL(link).search
  return {
    invitation,
    invitationUsed,
    invitationOfNewcomer: await invite(newcomer.email, 'member'),
    stop: pathOf(await linkMailed(email, '/e-mails/stop')),
    verify: pathOf(await linkMailed(unverified.email, '/verify')),
    reset: pathOf(await linkMailed(member.email, '/reset')),
  }
}
