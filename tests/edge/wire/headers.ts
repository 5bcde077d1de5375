import { head, type Target, type WireCase } from './wire-case'

const path = '/api/v1/credits'

/** Headers that are none, or too many, or say two things. */
export function headerCases(target: Target): WireCase[] {
  const withHeader = (line: string) => head(target, 'GET', path, `${line}\r\n`)
  // The tab is a blank, CR and LF end a line.
  const controls = [...Array.from({ length: 32 }, (_, code) => code).filter(code => ![9, 10, 13].includes(code)), 127]
  const refused: [name: string, bytes: string][] = [
    ...controls.map((code): [string, string] => [`U+${code.toString(16)} in a value`, withHeader(`X: a${String.fromCharCode(code)}b`)]),
    ...[0, 1, 32, 40, 123, 127].map((code): [string, string] => [
      `character ${code} in a name`,
      withHeader(`X${String.fromCharCode(code)}Y Z: a`),
    ]),
    ['a CR inside a value', withHeader('X: a\rb')],
    ['a blank before the colon', withHeader('X : a')],
    ['a line without a colon', withHeader('X')],
    ['a name of nothing', withHeader(': a')],
    ['a folded line', withHeader('X: a\r\n b')],
    ['a first line that is folded', `GET ${path} HTTP/1.1\r\n X: a\r\nHost: ${target.host}\r\n\r\n`],
    ['a name of 17 kB', withHeader(`${'X'.repeat(17_000)}: a`)],
    ['a value of 17 kB', withHeader(`X: ${'a'.repeat(17_000)}`)],
    ['a value of 1 MB', withHeader(`X: ${'a'.repeat(1_048_576)}`)],
    ['300 headers', withHeader(Array.from({ length: 300 }, (_, index) => `X-${index}: a`).join('\r\n'))],
    ['10,000 headers', withHeader('X: a\r\n'.repeat(10_000).trimEnd())],
    ['two keys', withHeader('Authorization: Bearer sk_live_another')],
  ]
  const hosts: [name: string, lines: string][] = [
    ['no Host', ''],
    ['two Hosts', `Host: ${target.host}\r\nHost: ${target.host}\r\n`],
    ['an empty Host', 'Host: \r\n'],
    ['a Host with a blank', 'Host: a b\r\n'],
    ['a Host with a path', 'Host: a.example/b\r\n'],
    ['a Host with a user', 'Host: me@a.example\r\n'],
    ['a Host with a query', 'Host: a.example?b\r\n'],
    ['a Host with half a bracket', 'Host: [::1\r\n'],
    ['a Host with a port of letters', 'Host: a.example:http\r\n'],
    ['a Host with a port of ten digits', 'Host: a.example:1234567890\r\n'],
    ['a Host beyond ASCII', 'Host: \xe4.example\r\n'],
    ['two Hosts in one', 'Host: a.example, b.example\r\n'],
  ]
  const taken: [name: string, bytes: string, statuses: number[]][] = [
    ['a tab in a value', withHeader('X: a\tb'), [200]],
    ['bytes beyond ASCII in a value', withHeader('X: \xe4\xff'), [200]],
    ['an empty value', withHeader('X:'), [200]],
    ['150 headers', withHeader(Array.from({ length: 150 }, (_, index) => `X-${index}: a`).join('\r\n')), [200]],
    ['15 kB of headers', withHeader(`X: ${'a'.repeat(15_000)}`), [200]],
    ['an upgrade', withHeader('Connection: Upgrade\r\nUpgrade: h2c'), [200]],
    [
      'a WebSocket',
      withHeader('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13'),
      [200],
    ],
    ...['a', 'ab', 'abc', 'a.example:8080', '[::1]:4100', '127.0.0.1', 'a_b.example'].flatMap((host): [string, string, number[]][] => [
      [`Host ${host}`, head({ ...target, host }, 'GET', path), [200]],
      [`Host ${host}, a method that is not taken`, head({ ...target, host }, 'PUT', path), [405]],
      [`Host ${host}, no such route`, head({ ...target, host }, 'GET', '/nowhere'), [404]],
    ]),
  ]
  return [
    ...refused.map(([name, bytes]): WireCase => ({ name, bytes, expects: 'refusal' })),
    ...hosts.map(([name, lines]): WireCase => ({ name, bytes: `GET ${path} HTTP/1.1\r\n${lines}\r\n`, expects: [400] })),
    ...taken.map(([name, bytes, expects]): WireCase => ({ name, bytes, expects })),
  ]
}
