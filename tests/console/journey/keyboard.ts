import type { Devtools } from '../../support/browser/devtools'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { withBrowser } from '../browser'
import { openVisitor, type Visitor } from '../visitor'
import { slowPrompt } from './making'
import { buy } from './paying'
import { type NewPerson, newPerson, signOut, signUp } from './sign-up'
import { must, stepsOf } from './steps'

const stopsMax = 80

type Stop = { words: string; marked: boolean; inside: boolean }

/** Where the focus is: its words, whether one sees that it has it, and whether it is on the screen; null where nothing has it. Runs in the page. */
const stopOfPage = `(() => {
  const element = document.activeElement
  if (element === document.body) return null
  const label = element.labels?.[0]
  const words = (element.getAttribute('aria-label') ?? label?.textContent ?? element.textContent).replace(/\\s+/g, ' ').trim()
  const outlined = each => { const style = getComputedStyle(each); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 }
  const { top, bottom, width, height } = (label ?? element).getBoundingClientRect()
  return {
    words,
    marked: outlined(element) || (label !== undefined && outlined(label)),
    inside: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
  }
})()`

/** The keys Tab and Enter and what is typed, from stop to stop; a stop that one can't see is a fault. */
function keyboardOf(visitor: Visitor) {
  const { tab } = visitor
  let stops = 0
  async function tabTo(words: string): Promise<void> {
    for (let pressed = 0; pressed < stopsMax; pressed++) {
      await tab.press('Tab')
      const stop = await tab.evaluate<Stop | null>(stopOfPage)
      // The page has just come, or its last stop was behind.
      if (!stop) continue
      must(stop.marked, `one does not see that “${stop.words}” has the focus`)
      must(stop.inside, `“${stop.words}” has the focus and is not on the screen`)
      stops += 1
      if (stop.words === words || stop.words.startsWith(`${words} `)) return
    }
    throw new Error(`${stopsMax} times Tab do not lead to “${words}” at ${await visitor.path()}`)
  }
  return {
    tabTo,
    stops: () => stops,
    async fill(words: string, value: string): Promise<void> {
      await tabTo(words)
      await tab.type(value)
    },
    async enter(words: string): Promise<void> {
      await tabTo(words)
      await tab.press('Enter')
    },
  }
}

/** Signing in, making a video and creating a key with the keyboard alone, each stop of which is seen. */
export const proveKeyboard = (report: Report): Promise<void> =>
  withBrowser(report, 'keyboard', devtools => walkByKeyboard(report, devtools))

async function walkByKeyboard(report: Report, devtools: Devtools): Promise<void> {
  const person = newPerson('Kay Board')
  await fundedPerson(devtools, person)
  const visitor = await openVisitor(devtools, { width: 1280, scheme: 'dark' })
  const step = stepsOf(report, 'keyboard', visitor)
  const keyboard = keyboardOf(visitor)
  await step('one signs in', async () => {
    await keyboard.fill('E-mail address', person.email)
    await keyboard.fill('Password', person.password)
    await visitor.tab.press('Enter')
    await visitor.at(/^\/accounts\//)
  })
  await step('one makes a video in the playground', async () => {
    await keyboard.enter('Playground')
    await visitor.at(/\/playground/)
    await keyboard.fill('Prompt', await slowPrompt())
    await keyboard.enter('Make the video')
    await visitor.at(/\/tasks\/vt_/, 60_000)
    await visitor.see('Done', 60_000)
  })
  await step('one creates a key', async () => {
    await keyboard.enter('API keys')
    await visitor.at(/\/keys/)
    await keyboard.fill('Name', 'By keyboard')
    await keyboard.enter('Create key')
    await visitor.see('Key created')
    await keyboard.enter('I have copied it')
    await visitor.see('By keyboard')
  })
  await step('one opens the menu of the person and leaves it', async () => {
    await visitor.go((await visitor.path()).replace(/\/keys.*/, ''))
    await keyboard.enter(person.name)
    const open = () => visitor.tab.evaluate<boolean>("document.querySelector('details.person').open")
    await until('the menu to open', open)
    await visitor.tab.press('Escape')
    await until('the menu to close', async () => !(await open()))
  })
  report.figure('keyboard.stopsSeen', keyboard.stops())
  report.check('keyboard: the console has no complaint', visitor.tab.errors.length === 0, visitor.tab.errors.join('\n'))
  await visitor.close()
}

/** Somebody with an account that can pay for a video of the form's own length. */
async function fundedPerson(devtools: Devtools, person: NewPerson): Promise<void> {
  const visitor = await openVisitor(devtools, { width: 1280, scheme: 'light' })
  await visitor.go('/sign-up')
  await signUp(visitor, person)
  await visitor.at(/^\/accounts\/[^/]+$/)
  await visitor.see('Paid balance')
  await buy(visitor, `${await visitor.path()}/billing`)
  await signOut(visitor)
  await visitor.close()
}
