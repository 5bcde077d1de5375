import type { Devtools } from '../../support/browser/devtools'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { withBrowser } from '../browser'
import { openVisitor } from '../visitor'
import { chooseTwice, pressWhileFormComes } from './choosing'
import { inviteNewcomer } from './inviting'
import { askInReference, createKey, revokeKey, runExample, runProgram } from './keys'
import { deleteAccount } from './leaving'
import { makeWithPicture, play, slowPrompt, watchUntilDone } from './making'
import { buy, figure } from './paying'
import { newPerson, signOut, signUp } from './sign-up'
import { must, stepsOf } from './steps'

const revokedWithinMs = 5_000
/** What each language of the examples would take for its own, did it not stand there as text. */
const hostile = `says "it's" $HOME \`id\`\n\\n on a second line 🪁`

export const proveJourney = (report: Report): Promise<void> => withBrowser(report, 'journey', devtools => proveNewcomer(report, devtools))

/** All that a person does from the first page to the last, in a browser, each step a check. */
async function proveNewcomer(report: Report, devtools: Devtools): Promise<void> {
  const person = newPerson('Ada Journey')
  const visitor = await openVisitor(devtools, { width: 1280, scheme: 'light' })
  const step = stepsOf(report, 'journey', visitor)
  const { see, press, go, at } = visitor

  const account = await step('a person signs up and confirms the address by the mail', async () => {
    await press('Sign up')
    await at(/^\/sign-up/)
    await signUp(visitor, person)
    await at(/^\/accounts\/[^/]+$/)
    return visitor.path()
  })
  const starter = await step('starter credits are there', async () => {
    await see('First steps')
    return until('the starter credits', async () => (await figure(visitor, 'Starter credits')) || undefined)
  })
  await step('of a model and a mode the last choice stands, whichever form comes last', () => chooseTwice(visitor, `${account}/playground`))
  await step('no video is made while another form is on its way', () => pressWhileFormComes(visitor, `${account}/playground`))
  const first = await step('a first video is asked for in the playground, with an uploaded first frame', async () => {
    await go(account)
    await press('Make a video')
    await at(/\/playground/)
    return makeWithPicture(visitor)
  })
  const phases = await step('its page shows how it goes on, and that it is done, without being loaded again', () =>
    watchUntilDone(visitor, [first.id]),
  )
  report.figure('journey.shownOfTheFirst', phases.join(' → '))
  await step('it is played', () => play(visitor))
  await step('it was paid with starter credits', async () => {
    await go(account)
    const left = await until(
      'the balance',
      async () => (await figure(visitor, 'Starter credits')) < starter && figure(visitor, 'Starter credits'),
    )
    must(left === starter - first.credits, `${starter} − ${first.credits} is not ${left}`)
    must((await figure(visitor, 'Paid balance')) === 0, 'a paid balance appeared')
  })
  const secret = await step('a key is shown once, and is gone after a reload', async () => {
    await press('API keys')
    await see('Create a key')
    return createKey(visitor, 'Website')
  })
  const words = await slowPrompt()
  const prompt = `${words} ${hostile}`
  const examples = await step('the playground tells the same request as a program', async () => {
    await go(`${account}/playground?model=alpha-h3-fast&mode=text-to-video&duration=1&resolution=480p`)
    await visitor.fill('Prompt', prompt)
    const shown = `Object.fromEntries(['curl', 'typescript', 'python'].map(each => [each, document.getElementById('example-' + each).textContent]))`
    return until('the examples with the prompt', async () => {
      const texts = await visitor.tab.evaluate<Record<'curl' | 'typescript' | 'python', string>>(shown)
      return texts.curl.includes(words) && texts
    })
  })
  await step('the key of an account with starter credits alone is told 402', async () => {
    const { status, body } = await runExample(examples.curl, secret)
    must(status === 402 && body.error?.code === 'insufficient_credits', `${status} ${JSON.stringify(body)}`)
  })
  await step('a pack is bought, and the balance grows by it', async () => {
    const { bought, grew } = await buy(visitor, `${account}/billing`)
    must(bought > 0 && grew === bought, `${bought} were bought, and the balance grew by ${grew}`)
  })
  await step('the reference asks with a key that the account lends it, and nobody types one', async () => {
    const { address, answer } = await askInReference(visitor)
    must(!address.includes('sk_live_'), 'the key stays in the address')
    const { available_credits } = JSON.parse(answer) as { available_credits?: number }
    must((available_credits ?? 0) > 0, answer)
  })
  const [byKey, second] = await step('the example makes a video with the key, and the playground another', async () => {
    await go(`${account}/playground?model=alpha-h3-fast&mode=text-to-video`)
    const made = await makeWithPicture(visitor)
    const { status, body } = await runExample(examples.curl, secret)
    must(status === 202, `${status} ${JSON.stringify(body)}`)
    return [body, made] as const
  })
  await step('the list of tasks follows both', async () => {
    await go(`${account}/tasks`)
    await see(words)
    const shown = await watchUntilDone(visitor, [byKey.id, second.id, first.id])
    report.figure('journey.shownOfBoth', shown.join(' → '))
  })
  await step('both are played', async () => {
    for (const { id } of [byKey, second]) {
      await go(`${account}/tasks/${id}`)
      await play(visitor)
    }
  })
  await step('the examples in TypeScript and Python make videos of the same words', async () => {
    for (const id of [
      byKey.id,
      (await runProgram('typescript', examples.typescript, secret)).id,
      (await runProgram('python', examples.python, secret)).id,
    ]) {
      await go(`${account}/tasks/${id}`)
      const told = await visitor.tab.evaluate<string>("document.querySelector('main').textContent")
      must(told.includes(prompt), `${id} was asked for in other words: ${told}`)
    }
    await go(account)
  })
  await step('usage has a row of each', async () => {
    await press('Usage')
    await see('Usage records')
    for (const { id } of [first, byKey, second])
      must(await visitor.tab.evaluate<boolean>(`document.querySelector('a[href$="${id}"]') !== null`), `usage has no row of ${id}`)
  })
  const ms = await step('a revoked key is refused within five seconds', async () => {
    await press('API keys')
    await see('Website')
    const passed = await revokeKey(visitor, 'Website', secret)
    must(passed < revokedWithinMs, `${passed} ms`)
    return passed
  })
  report.figure('journey.revokedAfterMs', ms)
  const newcomer = await step('somebody is invited, signs up in another browser, and joins', () =>
    inviteNewcomer(visitor, devtools, `${account}/members`),
  )
  await step('the new member sees the account’s videos', async () => {
    await newcomer.go(`${account}/tasks/${first.id}`)
    await newcomer.see(first.prompt)
  })
  for (const [who, { tab }] of Object.entries({ owner: visitor, member: newcomer }))
    report.check(`journey: no page of the ${who} makes the console complain`, tab.errors.length === 0, tab.errors.join('\n'))
  await step('the account is deleted: its keys end, and its member finds nothing', async () => {
    await press('API keys')
    await see('Create a key')
    const last = await createKey(visitor, 'Last')
    await deleteAccount(visitor, { account, name: person.name, secret: last, member: newcomer })
  })
  await step('both sign out', async () => {
    await signOut(visitor)
    await newcomer.go('/accounts')
    await signOut(newcomer)
  })
  report.check('journey: nor do the last pages', visitor.tab.errors.length === 0, visitor.tab.errors.join('\n'))
}
