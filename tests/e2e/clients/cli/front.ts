import { settings } from '../../../support/settings'

/** What stands before the gateway does with a request; nothing: it goes on to the gateway. */
export type Intercept = (request: Request, forward: () => Promise<Response>) => Promise<Response> | undefined

/** An address before the gateway at which a test holds, loses or changes what goes by. */
export function openFront(intercept: Intercept) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    fetch: async request => {
      const body = request.body === null ? undefined : await request.arrayBuffer()
      const { url, method, headers } = request
      const whole = new Request(url, { method, headers, body })
      const forward = () => forwarded(whole, body)
      return (await intercept(whole, forward)) ?? forward()
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/api/v1`,
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.dispose]: () => server.stop(true),
  }
}

function forwarded(request: Request, body: ArrayBuffer | undefined): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  headers.set('accept-encoding', 'identity')
  return fetch(new URL(`${pathname}${search}`, settings.url), { method: request.method, headers, body, redirect: 'manual' })
}

export const never = () => new Promise<Response>(() => {})
export const isCreation = (request: Request) => request.method === 'POST' && request.url.endsWith('/video/generations')
