import type { Devtools } from '../support/browser/devtools'
import { openTab, type Screen, type Tab } from '../support/browser/tab'
import { settings } from '../support/settings'
import { until } from '../support/until'

export type Visitor = Awaited<ReturnType<typeof openVisitor>>

/** Finds what a person would by the words on it: of a label its field, of a button or a link the thing itself. Runs in the page. */
const finders = `
  const shown = element => element.checkVisibility({ visibilityProperty: true })
  const wordsOf = element => (element.getAttribute('aria-label') ?? element.textContent).replace(/\\s+/g, ' ').trim()
  const fits = (element, name) => { const words = wordsOf(element); return words === name || words.startsWith(name) }
  const exactFirst = (elements, name) => elements.find(element => wordsOf(element) === name) ?? elements.find(element => fits(element, name))
  const byName = (selector, name) => exactFirst([...document.querySelectorAll(selector)].filter(shown), name)
  const field = name => exactFirst([...document.querySelectorAll('label')].filter(shown), name)?.control ?? byName('input[aria-label], textarea[aria-label]', name)
  const pressable = name => byName('button, a[href], summary, [role=tab], label', name)
`

/** A person at a browser of their own, which shares no cookie with another's. */
export async function openVisitor(devtools: Devtools, screen: Screen) {
  const { browserContextId } = await devtools.send<{ browserContextId: string }>('Target.createBrowserContext')
  const tab = await openTab(devtools, `${settings.consoleUrl}/sign-in`, { ...screen, context: browserContextId })
  await tab.send('DOM.enable')
  return { tab, ...actsOf(tab), close: () => devtools.send('Target.disposeBrowserContext', { browserContextId }) }
}

function actsOf(tab: Tab) {
  const inPage = <T>(expression: string) => tab.evaluate<T>(`(() => { ${finders}; return ${expression} })()`)
  const text = () => tab.evaluate<string>('document.body.innerText')

  async function see(words: string | RegExp, timeoutMs = 20_000): Promise<void> {
    const there = async () => {
      // A page that is just being left has no text to ask for.
      const shown = await text().catch(() => '')
      return typeof words === 'string' ? shown.includes(words) : words.test(shown)
    }
    await until(`“${words}” at ${await path()}`, there, timeoutMs).catch(async error => {
      throw new Error(`${(error as Error).message}; there is:\n${(await text()).slice(0, 1_500)}`)
    })
  }

  const path = () => tab.evaluate<string>('location.pathname + location.search').catch(() => '?')

  async function fill(label: string, value: string): Promise<void> {
    await until(`the field “${label}”`, () => inPage<boolean>(`field(${JSON.stringify(label)}) !== undefined`))
    await inPage(`(() => { const found = field(${JSON.stringify(label)}); found.focus(); found.select?.() })()`)
    await tab.type(value)
  }

  async function choose(label: string, option: string): Promise<void> {
    const chosen = await inPage<boolean>(`(() => {
      const list = field(${JSON.stringify(label)})
      const option = [...list.options].find(({ value, text }) => value === ${JSON.stringify(option)} || text.trim() === ${JSON.stringify(option)})
      if (!option) return false
      list.value = option.value
      list.dispatchEvent(new Event('input', { bubbles: true }))
      list.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    })()`)
    if (!chosen) throw new Error(`“${label}” has no “${option}”`)
  }

  /** A click where the thing is on the screen, as a mouse does it: what lies under something else isn't reached. A page without its styles yet has it elsewhere. */
  async function press(name: string): Promise<void> {
    const at = await until(`“${name}” at ${await path()}`, () =>
      inPage<{ x: number; y: number } | undefined>(`(() => {
        const found = pressable(${JSON.stringify(name)})
        if (!found || found.disabled || document.readyState !== 'complete') return undefined
        found.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { x, y, width, height } = found.getBoundingClientRect()
        return { x: x + width / 2, y: y + height / 2 }
      })()`),
    )
    for (const type of ['mousePressed', 'mouseReleased'])
      await tab.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 })
  }

  async function attach(selector: string, files: string[]): Promise<void> {
    async function give(): Promise<boolean> {
      const { root } = await tab.send<{ root: { nodeId: number } }>('DOM.getDocument')
      const { nodeId } = await tab.send<{ nodeId: number }>('DOM.querySelector', { nodeId: root.nodeId, selector })
      await tab.send('DOM.setFileInputFiles', { nodeId, files })
      return true
    }
    // A page that was just loaded has other nodes than the one before.
    await until(`a place for files at ${selector}`, () => give().catch(() => false))
  }

  const at = (wanted: RegExp, timeoutMs = 20_000) => until(`the page ${wanted}`, async () => wanted.test(await path()), timeoutMs)
  const go = (to: string) => tab.go(new URL(to, settings.consoleUrl).href)
  return { see, text, path, fill, choose, press, attach, at, go }
}
