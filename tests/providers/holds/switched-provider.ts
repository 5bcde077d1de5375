import { settings } from '../../support/settings'

/** `ok`: the fake's own answers. Otherwise no submit reaches it: each is answered 500, or by nothing at all. */
export type Mode = 'ok' | 'fails' | 'silent'

export type SwitchedProvider = { url: string; mode: Mode; submits: number; stop(): Promise<void> }

/** In front of a fake of the simulator: whatever is posted there meets the mode, and reads go through. The fake's addresses lead here too. */
export function startSwitchedProvider(fakePath: string): SwitchedProvider {
  const ending = new AbortController()
  const silence = () =>
    new Promise<Response>(end => ending.signal.addEventListener('abort', () => end(new Response(null, { status: 504 }))))
  const provider: SwitchedProvider = { url: '', mode: 'ok', submits: 0, stop: async () => {} }
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      if (request.method === 'POST') {
        provider.submits += 1
        if (provider.mode === 'fails') return new Response('{"detail":"Internal Server Error"}', { status: 500 })
        if (provider.mode === 'silent') return silence()
      }
      const { method, headers } = request
      const body = method === 'POST' ? await request.arrayBuffer() : undefined
      const answer = await fetch(`${settings.simulatorUrl}${pathname}${search}`, { method, headers, body, redirect: 'manual' })
      const passed = new Headers(answer.headers)
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) passed.delete(name)
      const isJson = passed.get('content-type')?.includes('json')
      const whole = isJson ? (await answer.text()).replaceAll(settings.simulatorUrl, origin) : await answer.arrayBuffer()
      return new Response(whole, { status: answer.status, headers: passed })
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  provider.url = `${origin}${fakePath}`
  provider.stop = async () => {
    ending.abort()
    await server.stop(true)
  }
  return provider
}
