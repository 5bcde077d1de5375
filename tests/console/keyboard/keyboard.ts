import { until } from '../../support/until'
import { must } from '../journey/steps'
import type { Visitor } from '../visitor'

const stopsMax = 80

type Stop = { words: string; marked: boolean; inside: boolean }
export type Keyboard = ReturnType<typeof keyboardOf>

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

/** The keys Tab, Enter, Space and the arrows and what is typed, from stop to stop; a stop that one can't see is a fault. */
export function keyboardOf(visitor: Visitor) {
  const { tab } = visitor
  let stops = 0

  const stop = () => tab.evaluate<Stop | null>(stopOfPage)
  const isAt = ({ words }: Stop, wanted: string) => words === wanted || words.startsWith(`${wanted} `)

  async function tabTo(words: string): Promise<void> {
    await until('the page to be whole', () => tab.evaluate<boolean>("document.readyState === 'complete'"))
    for (let pressed = 0; pressed < stopsMax; pressed++) {
      await tab.press('Tab')
      const reached = await stop()
      // The page has just come, or its last stop was behind.
      if (!reached) continue
      must(reached.marked, `one does not see that “${reached.words}” has the focus`)
      must(reached.inside, `“${reached.words}” has the focus and is not on the screen`)
      stops += 1
      if (isAt(reached, words)) return
    }
    throw new Error(`${stopsMax} times Tab do not lead to “${words}” at ${await visitor.path()}`)
  }

  /** What the page put in the place of something keeps the focus, or gives it to what follows. */
  async function staysAt(words: string): Promise<void> {
    const has = async () => {
      const now = await stop().catch(() => null)
      return now?.marked === true && isAt(now, words)
    }
    await until(`the focus to be at “${words}”`, has).catch(async error => {
      throw new Error(`${(error as Error).message}; it is at ${JSON.stringify(await stop())}`)
    })
  }

  return {
    tabTo,
    staysAt,
    stops: () => stops,
    async fill(words: string, value: string): Promise<void> {
      await tabTo(words)
      await tab.type(value)
    },
    async enter(words: string): Promise<void> {
      await tabTo(words)
      await tab.press('Enter')
    },
    /** By arrows through a list, at each stop of which the page may put another form in its place. */
    async choose(words: string, option: string): Promise<void> {
      await tabTo(words)
      const index = () => tab.evaluate<number>('document.activeElement.selectedIndex ?? -1')
      const wanted = await tab.evaluate<number>(
        `[...document.activeElement.options].findIndex(({ value }) => value === ${JSON.stringify(option)})`,
      )
      must(wanted >= 0, `“${words}” has no “${option}”`)
      for (let at = await index(); at !== wanted; ) {
        const down = at < wanted
        at += down ? 1 : -1
        await tab.press(down ? 'ArrowDown' : 'ArrowUp')
        await until(`an arrow to choose another “${words}”`, async () => (await index()) === at)
      }
      await staysAt(words)
    },
    /** Opens the chooser of files by the button that has the focus, and chooses there. */
    async giveFile(words: string, file: string): Promise<void> {
      await tabTo(words)
      const opened = Promise.withResolvers<number>()
      tab.on((method, { backendNodeId }) => method === 'Page.fileChooserOpened' && opened.resolve(Number(backendNodeId)))
      await tab.send('Page.setInterceptFileChooserDialog', { enabled: true })
      await tab.press('Space')
      const backendNodeId = await Promise.race([opened.promise, Bun.sleep(20_000)])
      must(backendNodeId !== undefined, `Space at “${words}” opens no chooser of files`)
      await tab.send('DOM.setFileInputFiles', { backendNodeId, files: [file] })
      await tab.send('Page.setInterceptFileChooserDialog', { enabled: false })
    },
  }
}
