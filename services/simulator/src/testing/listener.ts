/** An address for a callback: what is first sent there. */
export function startListener() {
  const called = Promise.withResolvers<unknown>()
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      called.resolve(await request.json())
      return new Response()
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, called: called.promise, stop: () => server.stop(true) }
}
