import { parseAddress } from '@filmgate/kit/safe-fetch/address'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type Zone, zoneName } from './dns-server'
import { forbidden4, forbidden6, public200 } from './forbidden'
import { faultyAddress, faultyHosts } from './namespace'

/** A URL and what must come of it: one code, or one of several where the fault may be noticed in two places. */
export type Vector = { name: string; url: string; codes: string[]; kind?: MediaKind }

const host = (label: string) => `${label}.${zoneName}`
export const media = host('media')
export const ok = 'verified'
export const refused = 'media_forbidden_address'
export const unreachable = 'media_unreachable'

const hex = (address: string) => (parseAddress(address)?.value ?? 0n).toString(16).padStart(32, '0')
export const nameOf = (address: string) => host(address.includes(':') ? `s-${hex(address)}` : `a-${address.replaceAll('.', '-')}`)
export const literalOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

export const privateAddresses = [...forbidden4.flat().filter(address => address !== undefined), ...forbidden6]

/** Things that are not a plain https URL of a public host, whatever a lenient parser would make of them. */
export const texts = [
  ...['http', 'ftp', 'file', 'gopher', 'dict', 'ws', 'wss', 'rtsp', 'tftp', 'ldap', 'jar', 'netdoc', 'hls+https', 'concat', 'subfile'].map(
    scheme => `${scheme}://${media}/ok.jpg`,
  ),
  ...[
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    `blob:https://${media}/ok.jpg`,
    'javascript:fetch(1)',
    'about:blank',
    `view-source:https://${media}/`,
  ],
  ...[
    `https://a@${media}/ok.jpg`,
    `https://a:b@${media}/ok.jpg`,
    `https://@${media}/ok.jpg`,
    `https://${media}@127.0.0.1/`,
    `https://${media}:443@127.0.0.1/`,
    `https://${media}\\@127.0.0.1/`,
    `https:\\\\${media}\\ok.jpg`,
    `https://${media}\\.127.0.0.1/`,
  ],
  ...[
    `https://med\tia.${zoneName}/ok.jpg`,
    `https://med\ria.${zoneName}/ok.jpg`,
    `https://med\nia.${zoneName}/ok.jpg`,
    ` https://${media}/ok.jpg`,
    `https://${media}/ok.jpg `,
    `https://${media}/o k.jpg`,
    `\u00a0https://${media}/ok.jpg`,
  ],
  ...[
    `https:/${media}/ok.jpg`,
    `https:${media}/ok.jpg`,
    `//${media}/ok.jpg`,
    `https:///${media}/ok.jpg`,
    'https://',
    'https:///ok.jpg',
    'https://:443/ok.jpg',
    'https://?ok.jpg',
    `https//${media}/`,
  ],
  ...[
    `https://127.0.0.1#@${media}/`,
    `https://127.0.0.1?@${media}/`,
    `https://${media}#@127.0.0.1/`,
    `https://${media}?@127.0.0.1/`,
    `https://${media}/ok.jpg#t=1`,
    `https://127.0.0.1;${media}/`,
    `https://127.0.0.1%2f@${media}/`,
    `https://127.0.0.1,${media}/`,
  ],
  ...[
    'https://１２７.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://127｡0｡0｡1/',
    'https://٣.٣.٣.٣/',
    `https://ｍedia.${zoneName}/ok.jpg`,
    'https://localhoſt/',
    'https://ⓛocalhost/',
    `https://%6dedia.${zoneName}/ok.jpg`,
    'https://%31%32%37.0.0.1/',
    'https://127%2e0%2e0%2e1/',
  ],
  ...[
    `https://${media}./ok.jpg`,
    'https://127.0.0.1./',
    'https://xn--/',
    `https://xn--a.${zoneName}/`.replace('xn--a', 'xn--\u0081'),
    `https://media.${zoneName.replace('-', '_')}/ok.jpg`,
    `https://${'a'.repeat(64)}.${zoneName}/`,
    `https://${`${'a'.repeat(60)}.`.repeat(5)}net/`,
    `https://-a.${zoneName}/`,
    `https://a-.${zoneName}/`,
    `https://a..${zoneName}/`,
    `https://.${zoneName}/`,
    `https://*.${zoneName}/`,
  ],
  ...[
    `https://${media}\u0000.127.0.0.1/`,
    `https://${media}/\u0000`,
    `https://${media}%00.127.0.0.1/`,
    'https://net/',
    'https://com/',
    `https://${media}/${'a'.repeat(2049 - 9 - media.length)}`,
  ],
  ...[22, 25, 0, 80, 6379, 8080, 8443, 65_536, 99_999_999_999].map(port => `https://${media}:${port}/ok.jpg`),
  ...[
    'https://[fe80::1%eth0]/',
    'https://[fe80::1%25eth0]/',
    'https://[::1/',
    'https://::1/',
    'https://[1::2::3]/',
    'https://[::1]x/',
    'https://[v1.fe80::1]/',
    'https://[::127.0.0.1.1]/',
    'https://[12345::]/',
  ],
]

/** 127.0.0.1, 169.254.169.254 and a public address in every way but the plain one. */
export const spellings = [
  ...[
    '2130706433',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.01',
    '127.0x1',
    '0',
    '0x0',
    '00',
    '0.0',
    '0x7f.1',
    '127.0.0.1.0',
    '127.0.0.256',
    '4294967296',
    '1.2.3.4.5',
    '256.256.256.256',
    '0x100000000',
    '-1',
    '1e9',
  ],
  ...[
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.16689662',
    '0xA9.254.0251.254',
    '8.8.2056',
    '8.526344',
    '134744072',
    '0x08080808',
    '010.010.010.010',
    '08.8.8.8',
    '8.8.8.8.',
    '09.1.1.1',
  ],
].map(spelling => `https://${spelling}/ok.jpg`)

export const privateNames =
  'localhost a.localhost LOCALHOST localhost.localdomain kubernetes kubernetes.default.svc kubernetes.default.svc.cluster.local metadata metadata.google.internal instance-data.ec2.internal printer.local nas.lan router.home wpad.corp db.consul vault.service.consul 1.0.0.127.in-addr.arpa home.arpa x.test x.invalid x.onion'
    .split(' ')
    .map(name => `https://${name}/ok.jpg`)

const dns: Vector[] = [
  { name: 'AAAA only, private', url: `https://${nameOf('fd00::1')}/ok.jpg`, codes: [refused] },
  { name: 'AAAA only, public', url: `https://${host('v6only')}/ok.jpg`, codes: [ok] },
  { name: 'public and private A mixed', url: `https://${host('mixed')}/ok.jpg`, codes: [refused] },
  { name: 'public A, private AAAA', url: `https://${host('mixed6')}/ok.jpg`, codes: [refused] },
  { name: 'mapped address as AAAA', url: `https://${host('mapped')}/ok.jpg`, codes: [refused] },
  { name: 'public at the check, private at the connect', url: `https://${host('rebinds')}/ok.jpg`, codes: [ok] },
  {
    name: 'public for the first hop, private for the second',
    url: `https://${host('rebinds-late')}/to?url=${encodeURIComponent(`https://${host('rebinds-late')}/ok.jpg`)}`,
    codes: [refused],
  },
  { name: 'CNAME chain to private', url: `https://${host('alias')}/ok.jpg`, codes: [refused] },
  { name: 'CNAME to public', url: `https://${host('good-alias')}/ok.jpg`, codes: [ok] },
  // Only a search domain makes an address of it, and names are asked for as they are.
  { name: 'a cluster name cut short', url: 'https://kubernetes.default/ok.jpg', codes: [unreachable] },
  { name: 'NXDOMAIN', url: `https://${host('nowhere')}/ok.jpg`, codes: [unreachable] },
  { name: 'SERVFAIL', url: `https://${host('servfail')}/ok.jpg`, codes: [unreachable] },
  { name: 'REFUSED', url: `https://${host('refused')}/ok.jpg`, codes: [unreachable] },
  { name: 'silence', url: `https://${host('silent')}/ok.jpg`, codes: [unreachable] },
  { name: 'no addresses', url: `https://${host('none')}/ok.jpg`, codes: [unreachable] },
  { name: 'a thousand answers', url: `https://${host('thousand')}/ok.jpg`, codes: [unreachable] },
  { name: 'a thousand answers, one private', url: `https://${host('thousand-one')}/ok.jpg`, codes: [refused] },
  { name: 'thirty answers', url: `https://${host('thirty')}/ok.jpg`, codes: [ok] },
  { name: 'AAAA fails, A is public', url: `https://${host('half')}/ok.jpg`, codes: [unreachable] },
  { name: 'an underscore left of what can be registered', url: `https://${host('my_bucket')}/ok.jpg`, codes: [ok] },
  { name: 'name in capitals', url: `https://${media.toUpperCase()}/ok.jpg`, codes: [ok] },
]

export const zone: Zone = {
  media: { a: ['93.184.216.34'] },
  my_bucket: { a: ['93.184.216.34'] },
  v6only: { aaaa: ['2606:4700:4700::1111'] },
  mixed: { a: ['8.8.8.8', '10.0.0.1'] },
  mixed6: { a: ['8.8.8.8'], aaaa: ['fd00::1'] },
  mapped: { aaaa: ['::ffff:10.0.0.1'] },
  rebinds: [{ a: ['8.8.8.8'] }, { a: ['127.0.0.1'] }],
  'rebinds-late': [{ a: ['8.8.8.8'] }, { a: ['10.0.0.1'] }],
  alias: { cname: host('a-10-0-0-1'), a: ['10.0.0.1'] },
  'good-alias': { cname: host('a-8-8-8-8'), a: ['8.8.8.8'] },
  servfail: { rcode: 2 },
  refused: { rcode: 5 },
  silent: { silent: true },
  none: {},
  thousand: { a: Array.from({ length: 1000 }, (_, index) => `8.8.${index >> 8}.${index & 255}`) },
  'thousand-one': { a: Array.from({ length: 1000 }, (_, index) => (index === 777 ? '10.0.0.1' : `8.8.${index >> 8}.${index & 255}`)) },
  thirty: { a: Array.from({ length: 30 }, (_, index) => `8.8.8.${index + 1}`) },
  half: { a: ['8.8.8.8'], failsFor: 'aaaa' },
  ...Object.fromEntries(Object.keys(faultyHosts).map(name => [name, { a: [faultyAddress(name as keyof typeof faultyHosts)] }])),
}

const http: Vector[] = [
  ...[
    '/ok.jpg',
    '/lying-type.jpg',
    '/no-length',
    '/chunked',
    '/early-hints',
    '/interims',
    '/alt-svc',
    '/changes',
    '/relative',
    '/hops?n=10',
    '/ok.jpg?a=b@127.0.0.1&c=https://10.0.0.1/',
  ].map(path => ({ name: path, url: `https://${media}${path}`, codes: [ok] })),
  ...[
    '/closes',
    '/cut-headers',
    '/megabyte-of-headers',
    '/not-http',
    '/silent',
    '/drip-headers',
    '/drip',
    '/204',
    '/206',
    '/304',
    '/401',
    '/404',
    '/500',
    '/300',
    '/999',
    '/missing',
    '/redirect-nowhere',
    '/loop',
    '/hops?n=11',
    '/chunk-cut',
    '/bad-chunk',
    '/too-long-length',
  ].map(path => ({ name: path, url: `https://${media}${path}`, codes: [unreachable] })),
  // Cut by its own header, a picture is damaged, unless what follows is noticed first.
  ...['/too-short-length', '/two-lengths', '/length-and-chunked'].map(path => ({
    name: path,
    url: `https://${media}${path}`,
    codes: [unreachable, 'media_corrupt', 'media_type_unsupported'],
  })),
  ...['/huge-length', '/endless'].map(path => ({ name: path, url: `https://${media}${path}`, codes: ['media_too_large'] })),
  ...['/gzip', '/br', '/zstd', '/gzip-bomb', '/multipart', '/html'].map(path => ({
    name: path,
    url: `https://${media}${path}`,
    codes: ['media_type_unsupported'],
  })),
  { name: '/empty', url: `https://${media}/empty`, codes: ['media_corrupt'] },
  ...Object.keys(faultyHosts).map(name => ({ name: `TLS: ${name}`, url: `https://${host(name)}/ok.jpg`, codes: [unreachable] })),
  { name: 'HTTPS in capitals', url: `HTTPS://${media}/ok.jpg`, codes: [ok] },
  { name: '2,048 characters', url: `https://${media}/ok.jpg?${'a'.repeat(2048 - 16 - media.length)}`, codes: [ok] },
  { name: 'port 443 spelled out', url: `https://${media}:443/ok.jpg`, codes: [ok] },
  { name: 'a public literal', url: 'https://93.184.216.34/ok.jpg', codes: [ok] },
  { name: 'a public literal, v6', url: 'https://[2606:4700:4700::1111]/ok.jpg', codes: [ok] },
  { name: 'a public literal the certificate does not name', url: 'https://93.184.216.35/ok.jpg', codes: [unreachable] },
]

export const vectors: Vector[] = [
  ...[...texts, ...spellings, ...privateNames].map(url => ({ name: url.slice(0, 80), url, codes: [refused] })),
  ...privateAddresses.flatMap(address => [
    { name: `literal ${address}`, url: `https://${literalOf(address)}/ok.jpg`, codes: [refused] },
    { name: `a name of ${address}`, url: `https://${nameOf(address)}/ok.jpg`, codes: [refused] },
  ]),
  ...dns,
  ...http,
]

/** No false refusal: each is a name of one address, fetched over the whole pipeline. */
export const publicVectors: Vector[] = public200
  .slice(0, 200)
  .map(address => ({ name: `public ${address}`, url: `https://${nameOf(address)}/ok.jpg`, codes: [ok] }))

/** Files that would have a lenient reader fetch or open something else; their children share the counted network here. */
export const luringFiles = {
  'hls.mp4': ['media_type_unsupported'],
  'dash.mp4': ['media_type_unsupported'],
  'concat.mp4': ['media_type_unsupported'],
  'hidden.mp4': ['media_corrupt'],
  'external.mp4': ['media_corrupt'],
  'plain.mp4': [ok],
}

export const luringVectors: Vector[] = Object.entries(luringFiles).map(([name, codes]) => ({
  name,
  url: `https://${media}/file/${name}`,
  codes,
  kind: MediaKind.VIDEO,
}))

/** Names that the media host's certificate vouches for. */
export const certifiedNames = [`*.${zoneName}`, '93.184.216.34', '2606:4700:4700::1111']
