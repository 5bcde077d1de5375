import { expect, test } from 'bun:test'
import { testCard, testCatalog } from '../catalog/testing/cards'
import { pagePolicy } from './page/layout'
import { docs } from './routes'

let catalog = testCatalog(testCard())
const app = docs({ currentCatalog: () => catalog })
const get = (path: string, headers: Record<string, string> = {}) => app.handle(new Request(`http://gateway.test${path}`, { headers }))

test('GET / leads to the reference, whose style and scripts are served beside it', async () => {
  const root = await get('/')
  expect([root.status, root.headers.get('location')]).toEqual([302, '/docs'])
  const links = [...(await (await get('/docs')).text()).matchAll(/<(?:script|link)[^>]*(?:href|src)="(\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  const answers = await Promise.all(links.map(path => get(path)))
  expect(answers.map(({ status, headers }, index) => `${links[index]} ${status} ${headers.get('content-type')}`)).toEqual([
    '/docs/index.md 200 text/markdown; charset=utf-8',
    '/docs/early.js 200 text/javascript; charset=utf-8',
    '/docs/page.css 200 text/css; charset=utf-8',
    '/docs/page.js 200 text/javascript; charset=utf-8',
    '/docs/old-links.js 200 text/javascript; charset=utf-8',
  ])
})

test('pages, twins and files are of their types, may be kept, and pages have the policy', async () => {
  const types = {
    '/docs': 'text/html; charset=utf-8',
    '/docs/': 'text/html; charset=utf-8',
    '/docs/models/test-1': 'text/html; charset=utf-8',
    '/docs/models/test-1.md': 'text/markdown; charset=utf-8',
    '/docs/index.md': 'text/markdown; charset=utf-8',
    '/llms.txt': 'text/plain; charset=utf-8',
    '/docs/llms.txt': 'text/plain; charset=utf-8',
    '/llms-full.txt': 'text/plain; charset=utf-8',
    '/docs/search.json': 'application/json',
    '/docs/examples.json': 'application/json',
    '/docs/try-it.js': 'text/javascript; charset=utf-8',
  }
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await get(path)
    expect([path, status, headers.get('content-type'), headers.get('cache-control')]).toEqual([path, 200, type, 'public, no-cache'])
    expect([path, headers.get('content-security-policy')]).toEqual([path, type.startsWith('text/html') ? pagePolicy : null])
    expect([path, (await get(path, { 'if-none-match': headers.get('etag') ?? '' })).status]).toEqual([path, 304])
  }
})

test('a page is compressed where the client takes that, and made anew for another catalog', async () => {
  const zipped = await get('/docs/models', { 'accept-encoding': 'gzip' })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.arrayBuffer()))).toContain('test-1')
  catalog = testCatalog(testCard({ model: 'test-2' }))
  expect(await (await get('/docs/models')).text()).toContain('test-2')
  expect((await get('/docs/models/test-1')).status).toBe(404)
  catalog = testCatalog(testCard())
})

test('an unknown page is a page that says so, and is not kept', async () => {
  for (const path of ['/docs/nothing', '/docs/models/nobody', '/docs/nothing.md', '/docs/__proto__', '/docs/%3Cscript%3E']) {
    const { status, headers } = await get(path)
    expect([path, status, headers.get('content-type'), headers.get('content-security-policy')]).toEqual([
      ...[path, 404, 'text/html; charset=utf-8'],
      pagePolicy,
    ])
    expect(headers.get('cache-control')).toBeNull()
    expect(await (await get(path)).text()).toContain('<h1>No such page</h1>')
  }
})
