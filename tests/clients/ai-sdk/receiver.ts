type Call = { headers: Record<string, string>; body: string }

/** A host of webhooks: a path for each call of the AI SDK, which is told what came, as it came or with another body. */
export async function startReceiver() {
  const waiting = new Map<string, (call: Call) => void>()
  const forged = new Set<string>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const body = await request.text()
      const changed = forged.has(pathname) ? body.replace('"credits_used":', '"credits_used":1') : body
      waiting.get(pathname)?.({ headers: Object.fromEntries(request.headers), body: changed })
      return new Response('thanks')
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  return {
    origin,
    async expect(kind: 'signed' | 'forged') {
      const path = `/${crypto.randomUUID()}`
      if (kind === 'forged') forged.add(path)
      const received = new Promise<Call>(resolve => waiting.set(path, resolve))
      return { url: `${origin}${path}`, received }
    },
    stop: () => server.stop(true),
  }
}
