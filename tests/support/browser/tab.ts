import { until } from '../until'
import type { Devtools } from './devtools'

export type Screen = {
  width: number
  scheme: 'light' | 'dark'
  script?: boolean
  /** A browser context: tabs of one share their cookies, and with no other. */
  context?: string
}
export type Tab = Awaited<ReturnType<typeof openTab>>

const height = 844
const phoneWidthMax = 600
const keys: Record<string, { key?: string; code: string; windowsVirtualKeyCode: number; text?: string }> = {
  Tab: { code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
  Escape: { code: 'Escape', windowsVirtualKeyCode: 27 },
  ArrowUp: { code: 'ArrowUp', windowsVirtualKeyCode: 38 },
  ArrowDown: { code: 'ArrowDown', windowsVirtualKeyCode: 40 },
  '/': { code: 'Slash', windowsVirtualKeyCode: 191, text: '/' },
}

/** How grave a message of the browser, or one that the page wrote, is; '' for what is neither. */
function levelOf(method: string, params: Record<string, unknown>): string {
  if (method === 'Log.entryAdded') return (params.entry as { level: string }).level
  return method === 'Runtime.consoleAPICalled' ? String(params.type) : ''
}

/** A tab of the given width and colours; `errors` is what its console complained of. */
export async function openTab(devtools: Devtools, url: string, { width, scheme, script = true, context }: Screen) {
  const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    ...(context !== undefined && { browserContextId: context }),
  })
  const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const send = <T>(method: string, params?: object) => devtools.send<T>(method, params, sessionId)
  const errors: string[] = []
  devtools.on((method, params, session) => {
    if (session !== sessionId) return
    if (method === 'Runtime.exceptionThrown' || ['error', 'warning'].includes(levelOf(method, params))) errors.push(JSON.stringify(params))
  })
  const mobile = width <= phoneWidthMax
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile })
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
  await send('Emulation.setFocusEmulationEnabled', { enabled: true })
  if (!script) await send('Emulation.setScriptExecutionDisabled', { value: true })
  await send('Page.navigate', { url })

  /** What an expression comes to in the page. */
  async function evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await send<{ result: { value: T }; exceptionDetails?: { exception?: { description?: string } } }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true, userGesture: true },
    )
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? `${expression} failed`)
    return result.value
  }
  async function press(key: string): Promise<void> {
    await send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...keys[key] })
    await send('Input.dispatchKeyEvent', { type: 'keyUp', key, ...keys[key] })
  }
  const loaded = () =>
    until('the page', async () => evaluate<boolean>("location.href !== 'about:blank' && document.readyState === 'complete'"))
  await loaded()
  return {
    errors,
    send,
    /** Tells what happens in this tab, of the domains that are enabled. */
    on: (listener: (method: string, params: Record<string, unknown>) => void) =>
      devtools.on((method, params, session) => session === sessionId && listener(method, params)),
    evaluate,
    press,
    /** Goes to another page and waits until it is there. */
    async go(to: string): Promise<void> {
      const { loaderId, errorText } = await send<{ loaderId?: string; errorText?: string }>('Page.navigate', { url: to })
      if (errorText) throw new Error(`${to}: ${errorText}`)
      if (loaderId) await loaded()
    },
    type: (text: string) => send('Input.insertText', { text }),
    screenshot: async () => Buffer.from((await send<{ data: string }>('Page.captureScreenshot')).data, 'base64'),
    close: () => devtools.send('Target.closeTarget', { targetId }),
  }
}
