import { expect, test } from 'bun:test'
import { testCard, testCatalog } from '../../catalog/testing/cards'
import { publicCodes } from '../open-api/error-codes'
import { html, jsonForScript } from './html'
import { page, pagePolicy } from './page'

const catalog = testCatalog(testCard())

test('values are escaped, markup is not', () => {
  expect(html`<p title="${'"><script>'}">${html`<b>${'a&b'}</b>`}${[1, 'x']}${false}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;"><b>a&amp;b</b>1x</p>',
  )
  expect(jsonForScript({ a: '</script>' }).text).not.toContain('</script>')
})

test('the page loads nothing from anywhere, and its policy lets only its own script and style run', async () => {
  const text = page(catalog)
  expect(text).not.toMatch(/\b(src|href)="(https?:)?\/\//)
  expect(text).not.toMatch(/@import|url\(/)
  expect(text).not.toMatch(/\son[a-z]+="/)
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ]) {
    const inline = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? ''
    const digest = new Bun.CryptoHasher('sha256').update(inline).digest('base64')
    expect(pagePolicy).toContain(`${directive} 'sha256-${digest}'`)
  }
})

test('every model, mode and code is on the page', () => {
  const text = page(catalog)
  for (const words of ['id="test-1"', 'data-example="test-1.media-to-video"', ...publicCodes]) expect(text).toContain(words)
  expect(text).not.toContain('operator_token_required')
})
