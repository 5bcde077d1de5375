import { estimateBody, estimatePath, head, json, type Target, type WireCase } from './wire-case'

/** Bodies whose length is said wrongly, twice, or in chunks that are none: what one request is smuggled inside another with. */
export function framingCases(target: Target): WireCase[] {
  const post = (lines: string, body = estimateBody) => head(target, 'POST', estimatePath, `${json}${lines}`) + body
  const chunks = (body: string) => post('Transfer-Encoding: chunked\r\n', body)
  const size = estimateBody.length.toString(16)
  const length = estimateBody.length
  const lengths = [
    '',
    '-1',
    `+${length}`,
    '0x26',
    '1e1',
    '1.0',
    `${length} ${length}`,
    `${length},${length}`,
    '9'.repeat(20),
    '18446744073709551615',
    'abc',
    `${length};`,
    `"${length}"`,
  ]
  const codings = [
    'gzip',
    'gzip, chunked',
    'chunked, chunked',
    'identity',
    'chunked, identity',
    'x',
    'chunked;q=1',
    '"chunked"',
    'xchunked',
    '\x0bchunked',
  ]
  const sizes = ['zz', '-1', '+5', '0x5', '', ' ', 'FFFFFFFFFFFFFFFFF', '5 5', `${size}\n`, `;${size}`, '\x00', `${size}\x00`]
  const refused: [name: string, bytes: string][] = [
    ...lengths.map((value): [string, string] => [`Content-Length ${JSON.stringify(value)}`, post(`Content-Length: ${value}\r\n`)]),
    ...codings.map((value): [string, string] => [
      `Transfer-Encoding ${JSON.stringify(value)}`,
      post(`Transfer-Encoding: ${value}\r\n`, `${size}\r\n${estimateBody}\r\n0\r\n\r\n`),
    ]),
    ...sizes.map((value): [string, string] => [
      `a chunk of size ${JSON.stringify(value)}`,
      chunks(`${value}\r\n${estimateBody}\r\n0\r\n\r\n`),
    ]),
    ['two lengths', post(`Content-Length: ${length}\r\nContent-Length: ${length + 1}\r\n`)],
    ['one length twice', post(`Content-Length: ${length}\r\nContent-Length: ${length}\r\n`)],
    ['a length and chunks', post(`Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n`, `${size}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['chunks and a length', post(`Transfer-Encoding: chunked\r\nContent-Length: 4\r\n`, `${size}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', `${size}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['a chunk longer than it says', chunks(`2\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['a chunk that ends with a line feed', chunks(`${size}\r\n${estimateBody}\n0\r\n\r\n`)],
    ['chunk sizes that end with a line feed', chunks(`${size}\n${estimateBody}\n0\n\n`)],
    ['a length beyond all bounds', post('Content-Length: 9007199254740991\r\n')],
    ['a length of 2 GB', post('Content-Length: 2000000000\r\n')],
    ['65,537 bytes', post('Content-Length: 65537\r\n', 'x'.repeat(65_537))],
    ['chunks of 65,537 bytes', chunks(`10001\r\n${'x'.repeat(65_537)}\r\n0\r\n\r\n`)],
    ['another expectation', post(`Content-Length: ${length}\r\nExpect: more\r\n`)],
    ['a length among the trailers', chunks(`${size}\r\n${estimateBody}\r\n0\r\nContent-Length: 5\r\n\r\n`)],
    ['no body and no length', post('', '')],
  ]
  const trailers = ['X-Sum: 1\r\n', 'X-Sum: 1\r\nX-More: 2\r\n', 'X-Empty:\r\n', `X: ${'a'.repeat(2_000)}\r\n`]
  const taken: [name: string, bytes: string][] = [
    ['a length', post(`Content-Length: ${length}\r\n`)],
    ['a length with zeros in front', post(`Content-Length: 000${length}\r\n`)],
    ['one chunk', chunks(`${size}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['a chunk a byte', chunks(`${[...estimateBody].map(byte => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)],
    ['a chunk size in capitals', chunks(`${size.toUpperCase()}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['a chunk with an extension', chunks(`${size};a=b;c="d"\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['Chunked in capitals', post('Transfer-Encoding: CHUNKED\r\n', `${size}\r\n${estimateBody}\r\n0\r\n\r\n`)],
    ['100-continue', post(`Content-Length: ${length}\r\nExpect: 100-continue\r\n`)],
    ...trailers.map((lines, index): [string, string] => [
      `trailers ${index + 1}`,
      chunks(`${size}\r\n${estimateBody}\r\n0\r\n${lines}\r\n`),
    ]),
  ]
  // Where the client ends its side in the middle it may have gone: an answer or a close.
  const request = post('Transfer-Encoding: chunked\r\n', `${size}\r\n${estimateBody}\r\n0\r\nX-Sum: 1\r\n\r\n`)
  const cuts = Array.from({ length: 40 }, (_, index) => Math.floor(((index + 1) * request.length) / 41))
  return [
    ...refused.map(([name, bytes]): WireCase => ({ name, bytes, expects: 'refusal' })),
    ...taken.map(([name, bytes]): WireCase => ({ name, bytes, expects: [200] })),
    ...cuts.map(
      (at): WireCase => ({ name: `cut off after ${at} bytes`, bytes: request.slice(0, at), expects: 'refusal or close', halfClose: true }),
    ),
  ]
}
