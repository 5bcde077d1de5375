import { expect, test } from 'bun:test'
import { html, jsonForScript } from '@filmgate/kit/http/html'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { publicCodes } from '../open-api/error-codes'
import { docs } from '../routes'
import { page, pagePolicy } from './page'

const catalog = testCatalog(testCard())

test('values are escaped, markup is not', () => {
  expect(html`<p title="${'"><script>'}">${html`<b>${'a&b'}</b>`}${[1, 'x']}${false}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;"><b>a&amp;b</b>1x</p>',
  )
  expect(jsonForScript({ a: '</script>' }).text).not.toContain('</script>')
})

test('the page holds no script and no style of its own, and its policy lets in those of its host alone', () => {
  const text = page(catalog)
  expect(text).not.toMatch(/\b(src|href)="(https?:)?\/\//)
  expect(text).not.toMatch(/\s(on[a-z]+|style)="/)
  expect(text).not.toMatch(/<style|<script(?![^>]*(src=|type="application\/json"))/)
  expect(pagePolicy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';")
  expect(pagePolicy).not.toContain('unsafe')
})

test('every link within the page leads somewhere', () => {
  const text = page(catalog)
  const ids = new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(id => !ids.has(id))).toEqual([])
})

test('a model shows its price and limits before it is unfolded', () => {
  const [, model = ''] = page(catalog).split('<section class="model"')
  const [folded] = model.split('<details>')
  expect(folded).toContain('1.3 to 2.000001 credits a second or 50 credits a generation')
  expect(folded).toContain('<dd>4 to 10 s</dd>')
})

test('GET / leads to the reference, whose style and scripts are served beside it', async () => {
  const app = docs({ currentCatalog: () => catalog })
  const get = (path: string) => app.handle(new Request(`http://gateway.test${path}`))
  const root = await get('/')
  expect([root.status, root.headers.get('location')]).toEqual([302, '/docs'])
  const links = [...(await (await get('/docs')).text()).matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(links).toEqual(['/docs/page.css', '/docs/page.js', '/docs/try-it.js', '/openapi.json'])
  const answers = await Promise.all(links.map(get))
  expect(answers.map(({ status, headers }) => `${status} ${headers.get('content-type')}`)).toEqual([
    '200 text/css; charset=utf-8',
    '200 text/javascript; charset=utf-8',
    '200 text/javascript; charset=utf-8',
    '200 application/json',
  ])
})

test('every model, mode and code is on the page', () => {
  const text = page(catalog)
  for (const words of ['id="test-1"', 'data-example="test-1.media-to-video"', ...publicCodes]) expect(text).toContain(words)
  expect(text).not.toContain('operator_token_required')
})

test('a reader is led to the console for a key where there is one', () => {
  expect(page(catalog, 'https://console.example.com')).toContain('href="https://console.example.com/try-it"')
  expect(page(catalog)).not.toContain('Use your account')
})

test('the reference begins with where a key comes from', () => {
  const startOf = (consoleUrl?: string) => /id="start".*?<\/p>/s.exec(page(catalog, consoleUrl))?.[0] ?? ''
  expect(startOf('https://console.example.com')).toContain(
    '<a href="https://console.example.com">Sign in to the console</a>, open <em>API keys</em>',
  )
  expect(startOf()).toContain('which the operator of this installation gives you')
})
