import { zoneName } from '../dns-server'

export const media = `media.${zoneName}`
const other = `other.${zoneName}`

/**
 * A URL, and what its host answers: a whole head, or a Location of a 302. `ours`: where we arrive, as host and request target, or why
 * nowhere. `decision`: why that isn't where Chromium arrives; nothing where it is.
 */
export type ReaderCase = {
  name: string
  url?: string
  location?: string
  latin1?: true
  answer?: (path: string) => string
  ours: string
  decision?: string
}

const head = (status: string, ...fields: string[]) =>
  [`HTTP/1.1 ${status}`, 'Content-Length: 0', 'Connection: close', ...fields, '\r\n'].join('\r\n')
const hops = (count: number) => (path: string) => {
  const left = path === '/case' ? count : Number(path.slice('/hop'.length))
  return head('302 Found', `Location: ${left > 1 ? `/hop${left - 1}` : '/ok'}`)
}
const interim = (...statuses: string[]) => statuses.map(status => `HTTP/1.1 ${status}\r\n\r\n`).join('')

const httpsOnly = 'https on port 443 only, without a user'
const publicOnly = 'public addresses only'
const strictHost = 'letters, digits and hyphens of a host name'
const strictForm = 'one strict form; the refusal says what to write'

const redirects: ReaderCase[] = [
  { name: 'relative, a space', location: 'a b.jpg', ours: `${media}/a%20b.jpg` },
  { name: 'absolute, a space', location: `https://${media}/a b.jpg`, ours: `${media}/a%20b.jpg` },
  { name: 'Korean in brackets', location: `https://${media}/a[수정].jpg`, ours: `${media}/a[%EC%88%98%EC%A0%95].jpg` },
  { name: 'a query with spaces and quotes', location: `https://${media}/a?b="c d"<e>`, ours: `${media}/a?b=%22c%20d%22%3Ce%3E` },
  { name: 'a backslash in a query', location: '/a?b=\\c', ours: `${media}/a?b=\\c` },
  { name: 'a fragment', location: `https://${media}/a#t=1`, ours: `${media}/a` },
  { name: 'a fragment before a query', location: '/a#t?b', ours: `${media}/a` },
  { name: 'é in Latin-1', location: '/caf\u00e9.jpg', latin1: true, ours: `${media}/caf%E9.jpg` },
  { name: 'é in UTF-8', location: '/café.jpg', ours: `${media}/caf%C3%A9.jpg` },
  { name: 'à in UTF-8 at the end', location: '/à', ours: `${media}/%C3%A0` },
  { name: 'percent signs as they are', location: '/100%/%zz%20', ours: `${media}/100%/%zz%20` },
  { name: 'dots in a path', location: '/a/./b/../c', ours: `${media}/a/c` },
  { name: 'a tab in a path', location: '/a\tb', ours: `${media}/ab` },
  { name: 'backslashes for slashes', location: `\\\\${other}\\a`, ours: `${other}/a` },
  { name: 'without a scheme', location: `//${other}/a`, ours: `${other}/a` },
  { name: 'a scheme alone', location: 'https:a', ours: `${media}/a` },
  { name: 'three slashes', location: `https:///${other}/a`, ours: `${other}/a` },
  { name: 'capitals', location: `HTTPS://${other.toUpperCase()}/A`, ours: `${other}/A` },
  { name: 'port 443 spelled out', location: `https://${other}:443/a`, ours: `${other}/a` },
  { name: 'a host in UTF-8', location: `https://bücher.${zoneName}/a`, ours: `xn--bcher-kva.${zoneName}/a` },
  { name: 'a percent-encoded host', location: `https://%6fther.${zoneName}/a`, ours: `${other}/a` },
  { name: 'an underscore', location: `https://my_bucket.${zoneName}/a`, ours: `my_bucket.${zoneName}/a` },
  { name: 'a public address in one number', location: 'https://134744072/a', ours: '8.8.8.8/a' },
  { name: 'ten redirects', answer: hops(10), ours: `${media}/ok` },
  { name: 'eleven redirects', answer: hops(11), ours: 'redirects_exceeded', decision: 'ten redirects; Chromium has 20, curl 50' },
  { name: '307', answer: () => head('307 Temporary Redirect', 'Location: /a'), ours: `${media}/a` },
  { name: '300 with a Location', answer: () => head('300 Multiple Choices', 'Location: /a'), ours: 'status_unexpected' },
  { name: '201 with a Location', answer: () => head('201 Created', 'Location: /a'), ours: 'status_unexpected' },
  { name: 'no Location', answer: () => head('302 Found'), ours: 'status_unexpected' },
  { name: 'an empty Location', answer: () => head('302 Found', 'Location:'), ours: 'status_unexpected' },
  { name: 'the same Location twice', answer: () => head('302 Found', 'Location: /a', 'Location: /a'), ours: `${media}/a` },
  { name: 'two Locations', answer: () => head('302 Found', 'Location: /a', 'Location: /b'), ours: 'status_unexpected' },
  {
    name: 'a cookie, then the same URL',
    answer: () => head('302 Found', 'Set-Cookie: a=b', 'Location: /needs-cookie'),
    ours: 'redirects_exceeded',
    decision: 'no cookies',
  },
  {
    name: 'interim 102 and 103, then a redirect',
    answer: () => `${interim('102 Processing', '103 Early Hints')}${head('302 Found', 'Location: /a')}`,
    ours: `${media}/a`,
  },
  {
    name: '101, then a redirect',
    answer: () => `${interim('101 Switching Protocols')}${head('302 Found', 'Location: /a')}`,
    ours: 'status_unexpected',
    decision: 'after 101 it is no HTTP any more, and we asked for no other protocol',
  },
  { name: 'to http', location: `http://${other}/a`, ours: 'redirect_forbidden', decision: httpsOnly },
  { name: 'to another port', location: `https://${other}:8443/a`, ours: 'redirect_forbidden', decision: httpsOnly },
  { name: 'with a user', location: `https://u:p@${other}/a`, ours: 'redirect_forbidden', decision: httpsOnly },
  { name: 'to a private address', location: 'https://10.0.0.1/a', ours: 'address_forbidden', decision: publicOnly },
  { name: 'to a private address in two parts', location: 'https://0x7f.1/a', ours: 'address_forbidden', decision: publicOnly },
  { name: 'to a private address in fullwidth digits', location: 'https://１０.0.0.1/a', ours: 'address_forbidden', decision: publicOnly },
  { name: 'to a name of a private address', location: `https://a-10-0-0-1.${zoneName}/a`, ours: 'address_forbidden', decision: publicOnly },
  { name: 'to a private name', location: 'https://printer.local/a', ours: 'address_forbidden' },
  { name: 'a dot behind the host', location: `https://${other}./a`, ours: 'redirect_forbidden', decision: strictHost },
  { name: 'a hyphen before a host', location: `https://-a.${zoneName}/a`, ours: 'redirect_forbidden', decision: strictHost },
  { name: 'no valid IPv6 address', location: 'https://[::1/a', ours: 'redirect_forbidden' },
  { name: 'no valid port', location: `https://${other}:99999/a`, ours: 'redirect_forbidden' },
  { name: 'to a mail address', location: 'mailto:a@example.com', ours: 'redirect_forbidden' },
  { name: '9,000 characters', location: `/${'a'.repeat(9_000)}`, ours: 'redirect_forbidden', decision: '8,192 characters at most' },
]

/** What a client sends us to begin with. */
const direct: ReaderCase[] = [
  { name: 'URL: plain', url: `https://${media}/a?b`, ours: `${media}/a?b` },
  { name: 'URL: an underscore', url: `https://my_bucket.${zoneName}/a`, ours: `my_bucket.${zoneName}/a` },
  { name: 'URL: punycode', url: `https://xn--bcher-kva.${zoneName}/a`, ours: `xn--bcher-kva.${zoneName}/a` },
  { name: 'URL: a public address', url: 'https://8.8.8.8/a', ours: '8.8.8.8/a' },
  { name: 'URL: a host in UTF-8', url: `https://bücher.${zoneName}/a`, ours: 'url_forbidden', decision: strictForm },
  { name: 'URL: a space', url: `https://${media}/a b`, ours: 'url_forbidden', decision: strictForm },
  { name: 'URL: a fragment', url: `https://${media}/a#t`, ours: 'url_forbidden', decision: strictForm },
  { name: 'URL: a backslash', url: `https:\\\\${media}\\a`, ours: 'url_forbidden', decision: strictForm },
  { name: 'URL: a public address in one number', url: 'https://134744072/a', ours: 'url_forbidden', decision: strictForm },
  { name: 'URL: another port', url: `https://${other}:8443/a`, ours: 'url_forbidden', decision: httpsOnly },
  { name: 'URL: a user', url: `https://u:p@${other}/a`, ours: 'url_forbidden', decision: httpsOnly },
  { name: 'URL: http', url: `http://${other}/a`, ours: 'url_forbidden', decision: httpsOnly },
  { name: 'URL: a private address', url: 'https://0x7f.1/a', ours: 'address_forbidden', decision: publicOnly },
]

export const readerCases: ReaderCase[] = [...redirects, ...direct]

export const readerZone = Object.fromEntries(
  ['media', 'other', 'my_bucket', 'xn--bcher-kva', '-a'].map((label, index) => [label, { a: [`93.184.216.${34 + index}`] }]),
)
export const readerNames = [`*.${zoneName}`, '8.8.8.8']

/** What the host answers to a step of a case, in the bytes that its sender means. */
export const answerOf = ({ location = '', latin1, answer }: ReaderCase, path: string): Buffer =>
  Buffer.from(answer ? answer(path) : head('302 Found', `Location: ${location}`), latin1 ? 'latin1' : 'utf8')
