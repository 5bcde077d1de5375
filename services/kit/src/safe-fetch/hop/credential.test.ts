import { afterAll, expect, test } from 'bun:test'
import type { FetchPolicy } from '../fetch-policy'
import { safeFetch } from '../safe-fetch'

type Seen = { path: string; key: string | null }

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** A host that notes the key it is told, and leads on where a path says so. */
function host(redirects: Record<string, () => string> = {}) {
  const seen: Seen[] = []
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      seen.push({ path: pathname, key: request.headers.get('x-goog-api-key') })
      const location = redirects[pathname]?.()
      return location === undefined ? new Response('video') : new Response(null, { status: 302, headers: { location } })
    },
  })
  servers.push(server)
  return { seen, origin: `http://127.0.0.1:${server.port}` }
}

async function fetched(policy: Omit<FetchPolicy, 'forbiddenRanges'>, url: string): Promise<string> {
  const { body } = await safeFetch({ forbiddenRanges: [], ...policy }, { url })
  let text = ''
  for await (const chunk of body) text += Buffer.from(chunk).toString()
  return text
}

const key = { header: 'x-goog-api-key', value: 'the-key' }

test('a credential is told to its origin, also after a redirect within it, and to no other', async () => {
  const [own, other] = [host({ '/a': () => '/b' }), host()]
  const policy = { trustedOrigins: [own, other], credential: { origin: own.origin, ...key } }
  expect(await fetched(policy, `${own.origin}/a`)).toBe('video')
  expect(await fetched(policy, `${other.origin}/c`)).toBe('video')
  expect(own.seen).toEqual([
    { path: '/a', key: 'the-key' },
    { path: '/b', key: 'the-key' },
  ])
  expect(other.seen).toEqual([{ path: '/c', key: null }])
})

test('a redirect to another origin goes without it, and so does all that follows, wherever that leads', async () => {
  const other = host({ '/away': () => `${own.origin}/back` })
  const own = host({ '/a': () => `${other.origin}/away` })
  const policy = { trustedOrigins: [own, other], credential: { origin: own.origin, ...key } }
  expect(await fetched(policy, `${own.origin}/a`)).toBe('video')
  expect(other.seen).toEqual([{ path: '/away', key: null }])
  expect(own.seen).toEqual([
    { path: '/a', key: 'the-key' },
    { path: '/back', key: null },
  ])
})

test('a credential makes no origin a trusted one', async () => {
  const own = host()
  const policy = { trustedOrigins: [], credential: { origin: own.origin, ...key } }
  await expect(fetched(policy, `${own.origin}/a`)).rejects.toMatchObject({ reason: 'url_forbidden' })
  expect(own.seen).toEqual([])
})

test('a credential may begin with its scheme', async () => {
  const own = host()
  const credential = { ...key, origin: own.origin, value: 'Bearer the-key' }
  expect(await fetched({ trustedOrigins: [own], credential }, `${own.origin}/a`)).toBe('video')
  expect(own.seen).toEqual([{ path: '/a', key: 'Bearer the-key' }])
})

test('what would end a header’s line is sent to nobody', async () => {
  const own = host()
  for (const value of ['a\r\nHost: elsewhere', 'a b c', 'a  b', ' a', 'a ', '']) {
    const policy = { trustedOrigins: [own], credential: { ...key, origin: own.origin, value } }
    await expect(fetched(policy, `${own.origin}/a`)).rejects.toThrow('a credential is one header')
  }
  expect(own.seen).toEqual([])
})
