import { expect, test } from 'bun:test'
import { checkRequest } from '../catalog/check-request'
import { testCard, testCatalog } from '../catalog/testing/cards'
import { reasons } from '../errors'
import { codesOf, publicCodes } from './error-codes'
import { exampleOf } from './example-of'
import { html, jsonForScript } from './html'
import { openApi } from './open-api'
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

test('the example of each mode is a request that the model takes', () => {
  const card = testCard()
  for (const mode of card.modes) expect(checkRequest(catalog, exampleOf(card, mode))).toMatchObject({ ok: true })
})

test('every code that a client can meet is documented with some operation', () => {
  const documented = new Set<string>(Object.values(codesOf).flat())
  expect(publicCodes.filter(code => !documented.has(code))).toEqual(['method_not_allowed', 'internal_error'])
})

test('the document describes each refusal with its status and codes', () => {
  const { paths } = openApi(catalog) as unknown as { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
  const answers = Object.keys(paths['/video/generations']?.post?.responses ?? {}).toSorted()
  expect(answers).toEqual(['200', '202', '400', '401', '402', '409', '413', '429', '503'])
  expect(reasons.body_too_large[0]).toBe(413)
})
