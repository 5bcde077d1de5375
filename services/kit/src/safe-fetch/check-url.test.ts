import { expect, test } from 'bun:test'
import { Failure } from '../failure'
import { checkUrl } from './check-url'

const policy = { forbiddenRanges: [], trustedOrigins: [{ origin: 'https://localhost:4125' }] }

function checked(text: string): string {
  try {
    return checkUrl(text, policy).host
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test.each([
  'http://media.example/a',
  'ftp://media.example/a',
  'file:///etc/passwd',
  'gopher://media.example/',
  'dict://media.example/',
  'data:image/png;base64,AAAA',
  'blob:https://media.example/a',
  'javascript:alert(1)',
  'ws://media.example/',
  'wss://media.example/',
  'https://a@media.example/',
  'https://a:b@media.example/',
  'https://media.example\\@127.0.0.1/',
  'https://media.example/\\..',
  'https://med\tia.example/',
  'https://med\r\nia.example/',
  ' https://media.example/',
  'https://media.example/ ',
  'https://media.example/a b',
  'https:/media.example/',
  'https:media.example/',
  '//media.example/',
  '/a',
  '',
  'https://',
  'https:///a',
  'https://media.example#@127.0.0.1/',
  'https://media.example?@127.0.0.1/',
  'https://media.example/#t=1',
  'https://１２７.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://ｍedia.example/',
  'https://127。0。0。1/',
  'https://media.example./',
  'https://xn--/',
  'https://xn--a.xn--/',
  'https://me_dia.example/',
  'https://a.me_dia.example/',
  'https://media.exam_ple/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'a.'.repeat(127)}example/`,
  'https://media.example\u0000/',
  'https://-a.example/',
  'https://a..example/',
  'https://.example/',
  'https://%31%32%37.0.0.1/',
  'https://media.example:22/',
  'https://media.example:25/',
  'https://media.example:6379/',
  'https://media.example:8080/',
  'https://media.example:0/',
  'https://media.example:65536/',
  'https://media.example:80/',
  'https://media.example:99999999999/',
  'https://[fe80::1%25eth0]/',
  'https://[::1/',
  'https://::1/',
  'https://[1::2::3]/',
  'https://134744072/',
  'https://0x08080808/',
  'https://010.8.8.8/',
  'https://8.8.2056/',
  'https://8.526344/',
  'https://256.1.1.1/',
  'https://1.2.3.4.5/',
  'https://1.2.3.0x100/',
  'http://localhost:4125/',
  'https://localhost:4126/',
])('%j is no URL to fetch', text => {
  expect(['url_forbidden', 'address_forbidden']).toContain(checked(text))
})

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://017700000001/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://0x7f.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00:ec2::254]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://localhost/',
  'https://a.localhost/',
  'https://LOCALHOST/',
  'https://kubernetes/',
  'https://kubernetes.default.svc/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://nas.lan/',
  'https://10.in-addr.arpa/',
])('%s is a private address', text => {
  expect(checked(text)).toBe('address_forbidden')
})

test.each([
  ['https://media.example/a.png', 'media.example'],
  ['HTTPS://Media.Example/a.png', 'media.example'],
  ['https://media.example', 'media.example'],
  ['https://media.example:443/a?b=c@d', 'media.example'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://my_bucket.storage.googleapis.com/a.jpg', 'my_bucket.storage.googleapis.com'],
  ['https://_dmarc_.a_b.media.example/', '_dmarc_.a_b.media.example'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
  ['https://localhost:4125/a', 'localhost'],
  [`https://media.example/${'a'.repeat(2048 - 22)}`, 'media.example'],
])('%s is fetched', (text, host) => {
  expect(checked(text)).toBe(host)
})

test('a URL has at most 2,048 characters', () => {
  expect(checked(`https://media.example/${'a'.repeat(2049 - 22)}`)).toBe('url_forbidden')
})
