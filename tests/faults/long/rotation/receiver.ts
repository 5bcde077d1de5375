import { Webhook } from 'standardwebhooks'

/** An event as an endpoint got it; `fault`: why its signature does not count. */
export type Hook = { text: string; fault: string | undefined }
export type Receiver = { origin: string; secrets: Map<string, string>; received: Hook[]; stop(): Promise<void> }

/** The server of all endpoints. Each is a path with a secret of its own, by which the independent library checks an event when it comes. */
export function startReceiver(): Receiver {
  const secrets = new Map<string, string>()
  const received: Hook[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      received.push({ text, fault: faultOf(secrets.get(new URL(request.url).pathname), text, request.headers) })
      return new Response('thanks')
    },
  })
  return { origin: server.url.origin, secrets, received, stop: () => server.stop(true) }
}

function faultOf(secret: string | undefined, text: string, headers: Headers): string | undefined {
  if (!secret) return 'an endpoint that nobody made'
  try {
    new Webhook(secret).verify(text, Object.fromEntries(headers))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
