import { expect, test } from 'bun:test'
import { checkUrl, privateSuffixes } from '@filmgate/kit/safe-fetch/check-url'
import { specialRanges } from '@filmgate/kit/safe-fetch/public-address'
import { createMediaUrlCheck, mediaUrlPattern, privateUrlSchema } from './media-url'

const open = { privateOrigins: [] }
const pattern = new RegExp(mediaUrlPattern(open))
const refused = new RegExp(privateUrlSchema(open).pattern)
const faultOf = createMediaUrlCheck(open)

/** What the published schema says, which is what a client can know. */
const isPublished = (url: string): boolean => pattern.test(url) && !refused.test(url)
const isFetched = (url: string): boolean => {
  try {
    return checkUrl(url, { forbiddenRanges: [], trustedOrigins: [] }).port === 443
  } catch {
    return false
  }
}

test.each([
  'https://media.example.com',
  'https://media.example.com/',
  'HTTPS://Media.Example.COM/a.png',
  "https://media.example.com:443/a/b.c~d_e-f!g$h&i'j(k)l*m+n,o;p=q:r@s%20t?u[]=v/w?x",
  'https://xn--bcher-kva.example/',
  'https://my_bucket.storage.googleapis.com/a.jpg',
  'https://8.8.8.8/a',
  'https://10.example.com/a',
  'https://internal.example.com/a',
  'https://local.host/a',
  'https://[2606:4700:4700::1111]/a',
  'https://[2606:4700:1:2:3:4:5:6]/a',
  'https://[2606::]/a',
  `https://${'a'.repeat(63)}.example/`,
])('%s is let in, and no plainer for the probe', url => {
  expect([isPublished(url), faultOf(url), isFetched(url)]).toEqual([true, undefined, true])
})

const publicHost = 'must name a public host, as in media.example.com, and names'

test.each([
  ['http://media.example.com/a', 'must be an https:// URL, and is "http://media.example.com/a"'],
  ['', 'must be an https:// URL, and is ""'],
  ['https:/media.example.com/a', 'must be an https:// URL, and is "https:/media.example.com/a"'],
  ['https://media.example.com:8443/a', 'must be on port 443, and names port "8443"'],
  ['https://media.example.com:/a', 'must be on port 443, and names port ""'],
  ['https://media.example.com:0443/a', 'must be on port 443, and names port "0443"'],
  ['https://bücher.example:8443/a', 'must be on port 443, and names port "8443"'],
  ['https://a:b@media.example.com/a', 'must have no user and no password before its host'],
  ['https://@media.example.com/a', 'must have no user and no password before its host'],
  ['https://media.example.com/a#t=1', 'must have no fragment, and has "#t=1"'],
  ['https://media.example.com/#', 'must have no fragment, and has "#"'],
  ['https://media.example.com./a', `${publicHost} "media.example.com."`],
  ['https://me_dia.example/a', `${publicHost} "me_dia.example"`],
  ['https://-a.example/', `${publicHost} "-a.example"`],
  ['https:///a', `${publicHost} ""`],
  ['https://[::1/a', `${publicHost} "[::1"`],
  ['https://[2606::1::2]/a', `${publicHost} "[2606::1::2]"`],
  ['https://256.1.1.1/a', `${publicHost} "256.1.1.1"`],
  ['https://media.example.com?a=b', 'must have a path before its query'],
  ['https://media.example.com\\@127.0.0.1/', 'must be percent-encoded: it has "\\\\" (U+005C) at character 26'],
  [`https://media.example.com/${'a'.repeat(80)}ü.png`, 'must be percent-encoded: it has "ü" (U+00FC) at character 107'],
  [`https://media.example.com/${'a'.repeat(80)} b`, 'must be percent-encoded: it has " " (U+0020) at character 107'],
  ['https://media.example.com/\ud800', 'must be percent-encoded: it has "\\ud800" (U+D800) at character 27'],
  ['https://media.example.com/a\n', 'must be percent-encoded: it has "\\n" (U+000A) at character 28'],
  ['https://bücher.example/a', 'must write its host as xn--bcher-kva.example, and writes "bücher.example"'],
  ['https://BÜCHER.example', 'must write its host as xn--bcher-kva.example, and writes "BÜCHER.example"'],
  ['https://b%C3%BCcher.example/a', 'must write its host as xn--bcher-kva.example, and writes "b%C3%BCcher.example"'],
  ['https://ｍedia.example/', 'must write its host as media.example, and writes "ｍedia.example"'],
  ['https://134744072/a', 'must write its host as 8.8.8.8, and writes "134744072"'],
  ['https://010.8.8.8/a', 'must write its host as 8.8.8.8, and writes "010.8.8.8"'],
])('%j is refused for its own form', (url, words) => {
  expect([isPublished(url), faultOf(url)]).toEqual([false, { rule: 'https_url', words }])
})

test('the host that a fault tells to write is let in', () => {
  for (const host of ['bücher.example', '１.1.1.1', '日本語。jp', 'ÅSGÅRD.example']) {
    const [, told] = /^must write its host as (\S+), /.exec(faultOf(`https://${host}/a`)?.words ?? '') ?? []
    expect([host, isPublished(`https://${told}/a`)]).toEqual([host, true])
  }
})

test.each([
  ['10.0.0.1', 'not a public address'],
  ['127.0.0.1', 'not a public address'],
  ['127.1', 'not a public address'],
  ['0x7f.1', 'not a public address'],
  ['2130706433', 'not a public address'],
  ['017700000001', 'not a public address'],
  ['0', 'not a public address'],
  ['169.254.169.254', 'not a public address'],
  ['[::1]', 'not a public address'],
  ['[::ffff:127.0.0.1]', 'not a public address'],
  ['[64:ff9b::7f00:1]', 'not a public address'],
  ['[fd00:ec2::254]', 'not a public address'],
  ['[2001:db8::1]', 'not a public address'],
  ['[2606:4700::5efe:a00:1]', 'not a public address'],
  ['１２７.0.0.1', 'not a public address'],
  ['127。0。0。1', 'not a public address'],
  ['%31%32%37.0.0.1', 'not a public address'],
  ['localhost', 'a private name'],
  ['a.LOCALHOST', 'a private name'],
  ['ⓛocalhost', 'a private name'],
  ['kubernetes', 'a private name'],
  ['kubernetes.default.svc', 'a private name'],
  ['printer.local', 'a private name'],
  ['metadata.google.internal', 'a private name'],
])('%s leads to no public host, and is refused in the words of the probe', (host, words) => {
  const url = `https://${host}/a.png`
  expect([isPublished(url), faultOf(url)]).toEqual([
    false,
    { rule: 'public_host', words: `${publicHost} ${JSON.stringify(host)}: ${words}` },
  ])
})

/** Both ends of each range and what lies beside them, in two spellings. */
const edges = specialRanges.flatMap(({ family, first, last }) =>
  [first - 1n, first, first + 1n, last - 1n, last, last + 1n].flatMap(value => spellings(family, value)),
)

function spellings(family: 4 | 6, value: bigint): string[] {
  const digits = (count: number, bits: bigint, base: number) =>
    Array.from({ length: count }, (_, index) => ((value >> (bits * BigInt(count - 1 - index))) & ((1n << bits) - 1n)).toString(base))
  if (family === 4) return [digits(4, 8n, 10).join('.')]
  const groups = digits(8, 16n, 16)
  const long = groups.map(group => group.padStart(4, '0').toUpperCase()).join(':')
  return [`[${groups.join(':')}]`, `[${long}]`, `[${groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/, '::')}]`]
}

test('schema, server and probe agree on every edge of a special range and on random addresses', () => {
  const bits = (count: number) => BigInt(`0b1${Array.from({ length: count - 1 }, () => Math.round(Math.random())).join('')}`)
  const random = Array.from({ length: 5_000 }, (_, index) =>
    index % 2 === 0
      ? spellings(4, bits(32) & BigInt(Math.floor(Math.random() * 2 ** 32)))
      : spellings(6, ((0x2001n + (bits(13) % 5n)) << 112n) | (bits(100) >> BigInt(index % 100))),
  ).flat()
  const isatap = ['0:5efe:a00:1', '200:5efe:a00:1', '1:5efe:a00:1', '0:5efe::', '5efe:0:0:1'].flatMap(end => [
    `[2606:1:2:3:${end}]`,
    `[2606::${end}]`,
  ])
  const odd: string[] = []
  for (const host of [...edges, ...random, ...isatap]) {
    const url = `https://${host}/a`
    const views = [isPublished(url), faultOf(url) === undefined, isFetched(url)]
    if (new Set(views).size > 1) odd.push(`${host}: ${views.join(', ')}`)
  }
  expect(odd).toEqual([])
})

test('a private name is one by its last label only, and a host is at most as long as DNS has it', () => {
  for (const suffix of privateSuffixes) {
    expect([isPublished(`https://a.${suffix}/`), isPublished(`https://${suffix}.example.com/`)]).toEqual([false, true])
    expect([isPublished(`https://a.${suffix}x/`), isPublished(`https://a.x${suffix}/`)]).toEqual([true, true])
  }
  const long = (count: number) => `https://${'a'.repeat(count - 250)}.${'a.'.repeat(121)}example/`
  expect([253, 254].map(count => [isPublished(long(count)), isFetched(long(count))])).toEqual([
    [true, true],
    [false, false],
  ])
})

test('what only a parser sees, an xn-- label that stands for nothing, is refused by the server too', () => {
  expect(faultOf('https://xn--a.example/')).toEqual({ rule: 'https_url', words: `${publicHost} "xn--a.example"` })
})

test('an upload passes here and in the published schema: whose it is, is judged with the account', () => {
  const upload = `https://uploads.filmgate.internal/acc_1/${'a'.repeat(22)}.jpg`
  expect(faultOf(upload)).toBeUndefined()
  const exempt = new RegExp(privateUrlSchema(open).not.pattern)
  expect([pattern.test(upload), exempt.test(upload)]).toEqual([true, true])
  for (const other of [
    'https://a.filmgate.internal/',
    'https://uploads.filmgate.internal.example.com/',
    'https://uploadsxfilmgate.internal/',
  ])
    expect(exempt.test(other)).toBe(false)
})

test('a developer’s own origin is let in where the catalog names it, and nothing like it', () => {
  for (const privateOrigins of [['https://localhost:4125'], ['https://127.0.0.1'], ['https://media.test']]) {
    const { pattern, not } = privateUrlSchema({ privateOrigins })
    const [form, isPrivate, exempt] = [mediaUrlPattern({ privateOrigins }), pattern, not.pattern].map(text => new RegExp(text))
    const own = createMediaUrlCheck({ privateOrigins })
    const views = (url: string) => [own(url) === undefined, form?.test(url) && !(isPrivate?.test(url) && !exempt?.test(url))]
    expect(views(`${privateOrigins[0]}/a.png`)).toEqual([true, true])
    for (const url of [
      'https://localhost:4126/a',
      'https://localhost/a',
      'https://localhost:4125.example.com/a',
      'https://127.0.0.2/',
      'https://a.media.test/',
      'https://localhost:41255/a',
    ])
      expect([url, ...views(url)]).toEqual([url, false, false])
  }
})

test('the patterns take no longer for a text that was made to slow them down', () => {
  const beganMs = performance.now()
  for (const unit of ['a-', 'a.', '-', '[:', 'a.a-', '1.', '2001:', '2606::', 'localhost.'])
    for (const url of [`https://${unit.repeat(20_000)}_`, `https://[${unit.repeat(20_000)}_`]) expect(isPublished(url)).toBe(false)
  expect(performance.now() - beganMs).toBeLessThan(2_000)
})
