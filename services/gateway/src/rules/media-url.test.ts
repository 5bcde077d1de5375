import { expect, test } from 'bun:test'
import { checkUrl } from '@filmgate/kit/safe-fetch/check-url'
import { mediaUrlFault, mediaUrlPattern } from './media-url'

const pattern = new RegExp(mediaUrlPattern({ privateOrigins: [] }))

test.each([
  'https://media.example.com',
  'https://media.example.com/',
  'HTTPS://Media.Example.COM/a.png',
  "https://media.example.com:443/a/b.c~d_e-f!g$h&i'j(k)l*m+n,o;p=q:r@s%20t?u[]=v/w?x",
  'https://xn--bcher-kva.example/',
  'https://8.8.8.8/a',
  'https://[2606:4700:4700::1111]/a',
  `https://${'a'.repeat(63)}.example/`,
])('%s is let in, and no plainer for the probe', url => {
  expect(pattern.test(url)).toBe(true)
  expect(checkUrl(url, { forbiddenRanges: [], trustedOrigins: [] }).port).toBe(443)
})

test.each([
  ['http://media.example.com/a', 'must be an https:// URL, and is "http://media.example.com/a"'],
  ['', 'must be an https:// URL, and is ""'],
  ['https:/media.example.com/a', 'must be an https:// URL, and is "https:/media.example.com/a"'],
  ['https://media.example.com:8443/a', 'must be on port 443, and names port "8443"'],
  ['https://media.example.com:/a', 'must be on port 443, and names port ""'],
  ['https://media.example.com:0443/a', 'must be on port 443, and names port "0443"'],
  ['https://a:b@media.example.com/a', 'must have no user and no password before its host'],
  ['https://@media.example.com/a', 'must have no user and no password before its host'],
  ['https://media.example.com/a#t=1', 'must have no fragment, and has "#t=1"'],
  ['https://media.example.com/#', 'must have no fragment, and has "#"'],
  ['https://localhost/a', 'must name a public host, as in media.example.com, and names "localhost"'],
  ['https://kubernetes/a', 'must name a public host, as in media.example.com, and names "kubernetes"'],
  ['https://media.example.com./a', 'must name a public host, as in media.example.com, and names "media.example.com."'],
  ['https://me_dia.example.com/a', 'must name a public host, as in media.example.com, and names "me_dia.example.com"'],
  ['https://-a.example/', 'must name a public host, as in media.example.com, and names "-a.example"'],
  ['https:///a', 'must name a public host, as in media.example.com, and names ""'],
  ['https://[::1/a', 'must name a public host, as in media.example.com, and names "[::1"'],
  ['https://media.example.com?a=b', 'must have a path before its query'],
  ['https://media.example.com\\@127.0.0.1/', 'must be percent-encoded: it has "\\\\" (U+005C) at character 26'],
  [`https://media.example.com/${'a'.repeat(80)}ü.png`, 'must be percent-encoded: it has "ü" (U+00FC) at character 107'],
  [`https://media.example.com/${'a'.repeat(80)} b`, 'must be percent-encoded: it has " " (U+0020) at character 107'],
  ['https://media.example.com/\ud800', 'must be percent-encoded: it has "\\ud800" (U+D800) at character 27'],
  ['https://media.example.com/a\n', 'must be percent-encoded: it has "\\n" (U+000A) at character 28'],
])('%j is refused for its own cause', (url, words) => {
  expect(pattern.test(url)).toBe(false)
  expect(mediaUrlFault(url)).toBe(words)
})

test('a developer’s own origin is let in where the catalog names it, and nothing like it', () => {
  const own = new RegExp(mediaUrlPattern({ privateOrigins: ['https://localhost:4125'] }))
  expect(own.test('https://localhost:4125/a.png')).toBe(true)
  for (const url of [
    'https://localhost:4126/a',
    'https://localhost/a',
    'https://localhost:4125.example.com/a',
    'https://localhost:41255/a',
  ])
    expect(own.test(url)).toBe(false)
})

test('the pattern takes no longer for a text that was made to slow it down', () => {
  const beganMs = performance.now()
  for (const unit of ['a-', 'a.', '-', '[:', 'a.a-']) expect(pattern.test(`https://${unit.repeat(20_000)}_`)).toBe(false)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
})
