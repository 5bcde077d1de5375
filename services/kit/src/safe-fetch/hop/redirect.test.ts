import { expect, test } from 'bun:test'
import { Failure } from '../../failure'
import { parseHead } from './answer-head'
import { checkRedirect, locationOf } from './redirect'

const policy = { forbiddenRanges: [], trustedOrigins: [] }
const base = new URL('https://a.example/d/e?q')

/** Where an answer with this Location, sent in these bytes, leads: the next URL, or why there is none. */
function next(location: string, encoding: 'utf8' | 'latin1' = 'utf8'): string | undefined {
  const head = Buffer.concat([Buffer.from('HTTP/1.1 302 Found\r\nLocation: '), Buffer.from(location, encoding), Buffer.from('\r\n\r\n')])
  const found = locationOf(parseHead(head))
  try {
    return found === undefined ? undefined : checkRedirect(found, base, policy).url.href
  } catch (error) {
    return error instanceof Failure ? `${error.reason}: ${(error.options.details as { words: string }).words}` : String(error)
  }
}

test.each([
  ['f.jpg', 'https://a.example/d/f.jpg'],
  ['?r', 'https://a.example/d/e?r'],
  ['//b.example/f', 'https://b.example/f'],
  ['\\\\b.example\\f', 'https://b.example/f'],
  ['https:f.jpg', 'https://a.example/d/f.jpg'],
  ['https:/f.jpg', 'https://a.example/f.jpg'],
  ['https:///b.example/f', 'https://b.example/f'],
  ['/a b.jpg', 'https://a.example/a%20b.jpg'],
  ['https://b.example/a b[수정].jpg?c=d e', 'https://b.example/a%20b[%EC%88%98%EC%A0%95].jpg?c=d%20e'],
  ['https://b.example/a%20b?c=\\', 'https://b.example/a%20b?c=\\'],
  ['https://b.example/f#t=1', 'https://b.example/f'],
  ['https://bücher.example/f', 'https://xn--bcher-kva.example/f'],
  ['https://B_1.b.example:443/f', 'https://b_1.b.example/f'],
  ['https://134744072/', 'https://8.8.8.8/'],
  ['/\t/b.example/f', 'https://b.example/f'],
  ['à', 'https://a.example/d/%C3%A0'],
  [`/${'a'.repeat(8_000)}`, `https://a.example/${'a'.repeat(8_000)}`],
])('%s leads where browsers go', (location, url) => {
  expect(next(location)).toBe(url)
})

test('a byte beyond ASCII stays that byte, whatever encoding its sender meant', () => {
  expect(next('/caf\u00e9.jpg', 'latin1')).toBe('https://a.example/caf%E9.jpg')
  expect(next('/a\u00a0', 'latin1')).toBe('https://a.example/a%A0')
})

test.each([
  ['http://b.example/', 'is not https'],
  ['ftp://b.example/', 'is not https'],
  ['mailto:a@b.example', 'is not https'],
  ['https://b.example:8443/', 'names another port than 443'],
  ['https://a:b@b.example/', 'has a user or a password'],
  ['https://b.example@10.0.0.1/', 'has a user or a password'],
  ['https://b.example./', 'has no valid host name'],
  ['https://-b.example/', 'has no valid host name'],
  ['https://b_c.example/', 'has no valid host name'],
  ['https://[::1/', 'no browser can read'],
  ['https://b.example:99999/', 'no browser can read'],
  [`/${'a'.repeat(8_192)}`, 'has more than 8192 characters'],
])('%s is refused for what it is', (location, words) => {
  expect(next(location)).toBe(`redirect_forbidden: a redirect to a URL that ${words}`)
})

test.each([
  ['https://10.0.0.1/', 'not a public address'],
  ['//10.0.0.1/', 'not a public address'],
  ['/\\10.0.0.1/', 'not a public address'],
  ['/\t/10.0.0.1/', 'not a public address'],
  ['https://0x7f.1/', 'not a public address'],
  ['https://１２７.0.0.1/', 'not a public address'],
  ['https://%31%32%37.0.0.1/', 'not a public address'],
  ['https://127.0.0.1./', 'not a public address'],
  ['https://[::ffff:10.0.0.1]/', 'not a public address'],
  ['https://ⓛocalhost/', 'a private name'],
  ['https://printer.local/', 'a private name'],
])('%s is a private address, however it is spelled', (location, words) => {
  expect(next(location)).toBe(`address_forbidden: a redirect to ${words}`)
})

test('one place named twice is one place; two places, none, and another status lead nowhere', () => {
  const led = (text: string) => locationOf(parseHead(Buffer.from(`HTTP/1.1 ${text}\r\n\r\n`)))
  expect(led('301 Moved\r\nLocation: /a\r\nLocation: /a')).toBe('/a')
  expect(led('301 Moved\r\nLocation:\r\nLocation: /a')).toBe('/a')
  expect(led('301 Moved\r\nLocation: /a\r\nLocation: /b')).toBeUndefined()
  expect(led('301 Moved\r\nLocation: ')).toBeUndefined()
  expect(led('300 Multiple Choices\r\nLocation: /a')).toBeUndefined()
})
