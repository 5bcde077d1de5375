import { expect, test } from 'bun:test'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { publicCodes } from '../open-api/error-codes'
import oldLinks from '../page/assets/old-links.browser.js' with { type: 'text' }
import { pagePolicy } from '../page/layout'
import { contentOf, missingPage, page } from '../page/page'
import { adviceOf } from '../pages/error-advice'
import { twinOf } from './directives'
import { llmsFull, llmsIndex } from './llms'
import { searchIndex } from './search-index'
import { siteOf } from './site'

const catalog = testCatalog(testCard(), testCard({ model: 'test-2.5-fast' }))
const site = siteOf(catalog, 'https://console.example.com')
const pages = [...site.pages.values()].map(shown => ({ shown, text: page(site, shown) }))
const idsOf = (text: string) => new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))

test('every link within the reference leads to a page and a part of it', () => {
  const ids = new Map(pages.map(({ shown, text }) => [shown.path, idsOf(text)]))
  const files = ['/openapi.json', '/docs/index.md', '/docs/llms.txt', '/docs/llms-full.txt', '/docs/page.css']
  const links = pages.flatMap(({ shown, text }) =>
    [...text.matchAll(/href="([#/][^"]*)"/g)].map(([, href = '']) => ({ from: shown.path, href })),
  )
  expect(links.length).toBeGreaterThan(1_000)
  const dead = links.filter(({ from, href }) => {
    const { pathname, hash } = new URL(href, `http://x${from}`)
    if (files.includes(pathname)) return false
    const own = ids.get(pathname.replace(/\.md$/, ''))
    return !own || (hash !== '' && !own.has(decodeURIComponent(hash.slice(1))))
  })
  expect(dead).toEqual([])
})

test('links to the former single page, and those of the console, lead to places that are there', () => {
  const places = [...oldLinks.matchAll(/'(\/docs[\w/#-]*)'/g)].map(([, place = '']) => place)
  expect(places.length).toBeGreaterThan(10)
  const dead = [...places, '/docs/polling-and-webhooks#webhooks'].filter(place => {
    const [path = '', id] = place.split('#')
    const text = pages.find(({ shown }) => shown.path === path)?.text
    return text === undefined || (id !== undefined && !idsOf(text).has(id))
  })
  expect(dead).toEqual([])
})

test('a link that Markdown lost is not shown as one to nowhere', () => {
  for (const { shown, text } of pages) expect([shown.path, text.includes('href="#"')]).toEqual([shown.path, false])
})

test('no page has a script or a style of its own, and the policy lets in those of its host alone', () => {
  for (const { shown, text } of [...pages, { shown: { path: 'missing' }, text: missingPage(site) }]) {
    expect([shown.path, text.match(/\ssrc="(https?:)?\/\//)]).toEqual([shown.path, null])
    expect([shown.path, text.match(/<[^>]*\s(on[a-z]+|style)="/)]).toEqual([shown.path, null])
    expect([shown.path, text.match(/<style|<script(?![^>]*(src=|type="application\/json"))/)]).toEqual([shown.path, null])
  }
  expect(pagePolicy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';")
  expect(pagePolicy).not.toContain('unsafe')
})

test('each page and its Markdown twin have the same headings, and no placeholder is left', () => {
  for (const { shown, text } of pages) {
    const twin = twinOf(site, shown.markdown())
    const ofTwin = contentOf(site, { ...shown, markdown: () => twin }).headings.map(({ words }) => words)
    expect([shown.path, ofTwin]).toEqual([shown.path, contentOf(site, shown).headings.map(({ words }) => words)])
    expect([shown.path, twin.match(/<!--|\{\{(model|json|ts|python|cli|openai|aisdk)\}\}/)]).toEqual([shown.path, null])
    expect([shown.path, text.match(/&lt;!--|\{\{(model|json|ts|python|cli|openai|aisdk)\}\}/)]).toEqual([shown.path, null])
    expect(twin).toStartWith(`# ${shown.title}\n`)
  }
})

test('a twin has the samples of all languages, filled for the default model or for its own', () => {
  const twin = (path: string) => twinOf(site, site.pages.get(path)?.markdown() ?? '')
  const start = twin('/docs')
  for (const words of ['TypeScript:\n\n```ts\n', 'Python:\n\n```python\n', 'curl:\n\n```sh\n', '"model": "test-1"', 'model="test-1"'])
    expect(start).toContain(words)
  expect(twin('/docs/models/test-2.5-fast')).toContain('model="test-2.5-fast"')
})

test('every sample that a guide names is there', () => {
  const named = pages.flatMap(({ shown }) => [...shown.markdown().matchAll(/<!-- sample: (\S+) -->/g)].map(([, name]) => name))
  expect(named).toContain('first-video')
  for (const { shown, text } of pages) expect([shown.path, text.match(/class="sample" data-has=""/)]).toEqual([shown.path, null])
})

test('a model’s page has its price, fields, rules and an example of each mode', () => {
  const text = pages.find(({ shown }) => shown.path === '/docs/models/test-1')?.text ?? ''
  for (const words of [
    '1.3 to 2.000001 credits a second or 50 credits a generation',
    '4 to 10 s',
    'duration must be 6',
    'reference_video_urls',
  ])
    expect(text).toContain(words)
  expect(text).toContain('href="/docs/try-it?example=test-1.media-to-video"')
})

test('every public code says what it means and what to do, and no code of operators is shown', () => {
  const text = pages.find(({ shown }) => shown.path === '/docs/errors')?.text ?? ''
  expect(publicCodes.filter(code => !text.includes(`<h3 id="${code}">`))).toEqual([])
  expect(publicCodes.filter(code => !adviceOf[code])).toEqual([])
  expect(text).not.toContain('operator_token_required')
})

test('the reference begins with where a key comes from', () => {
  expect(pages[0]?.text).toContain('<a href="https://console.example.com/keys">Sign in to the console</a>')
  const guide = pages.find(({ shown }) => shown.path === '/docs/first-video')
  expect(guide?.text).toContain('<a href="https://console.example.com/keys">Sign in to the console</a>')
  const without = siteOf(catalog)
  expect(without.pages.get('/docs/first-video')?.markdown()).toContain('1. Sign in to the console, and')
  const start = without.pages.get('/docs')
  expect(start && page(without, start)).toContain('which the operator of this installation gives you')
  const form = without.pages.get('/docs/try-it')
  expect(form && page(without, form)).not.toContain('Use your account')
})

test('a model that cannot be had says so', () => {
  const away = testCatalog(testCard())
  const models = new Map([...away.models].map(([name, model]) => [name, { ...model, available: false }]))
  const other = siteOf({ ...away, models })
  for (const path of ['/docs/models', '/docs/models/test-1'])
    expect(other.pages.get(path)?.markdown().toLowerCase()).toContain('not available here')
})

test('llms.txt names every page as Markdown, and llms-full.txt has them', () => {
  const index = llmsIndex(site)
  expect(index).toMatch(/^# Filmgate\n\n> /)
  for (const { path } of site.pages.values()) expect(index).toContain(`(${path === '/docs' ? '/docs/index' : path}.md)`)
  expect(llmsFull(site)).toContain('# test-2.5-fast')
})

test('the search finds pages, headings, models, fields and codes', () => {
  const entries = searchIndex(site)
  const find = (words: string) =>
    entries.filter(([title, , , codes]) => title === words || codes.split(' ').includes(words)).map(([, , to]) => to)
  expect(find('insufficient_credits')).toContain('/errors#insufficient_credits')
  expect(find('image_url')).toContain('/api/createVideoGeneration')
  expect(find('test-2.5-fast')).toEqual(['/models/test-2.5-fast'])
  expect(find('media-to-video')).toContain('/models/test-1')
  expect(find('VideoTask')).toContain('/objects#videotask')
})
