import { head, type Target, type WireCase } from './wire-case'

/** First lines that are none, or that lead to a path by another way. */
export function requestLineCases(target: Target): WireCase[] {
  const rest = `Host: ${target.host}\r\nAuthorization: Bearer ${target.apiKey}\r\n\r\n`
  const path = '/api/v1/credits'
  const refused: [name: string, line: string][] = [
    ['an unknown method', `FOO ${path} HTTP/1.1`],
    ['a method in small letters', `get ${path} HTTP/1.1`],
    ['a method of two hundred letters', `${'G'.repeat(200)} ${path} HTTP/1.1`],
    ['a method with a control character', `G\x01T ${path} HTTP/1.1`],
    ['a method with a bracket', `G(T ${path} HTTP/1.1`],
    ['no method', ` ${path} HTTP/1.1`],
    ['no path', 'GET HTTP/1.1'],
    ['a path without a slash', 'GET credits HTTP/1.1'],
    ['two blanks', `GET  ${path} HTTP/1.1`],
    ['a blank in the path', 'GET /api/v1/cre dits HTTP/1.1'],
    ['a tab for a blank', `GET\t${path}\tHTTP/1.1`],
    ['a NUL in the path', 'GET /api/\x00 HTTP/1.1'],
    ['a control character in the path', 'GET /api/\x1f HTTP/1.1'],
    ['U+007F in the path', 'GET /api/\x7f HTTP/1.1'],
    ['a byte of no character in the path', 'GET /api/\xff HTTP/1.1'],
    ['a path of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1`],
    ['a query of 20 kB', `GET ${path}?${'a'.repeat(20_000)} HTTP/1.1`],
    ['a URL of another scheme', `GET ftp://${target.host}${path} HTTP/1.1`],
    ['a URL without a host', `GET http://${path} HTTP/1.1`],
    ['dots', 'GET /api/v1/../v1/credits HTTP/1.1'],
    ['dots that lead out of what is published', 'GET /api/v1/../../operator/reviews HTTP/1.1'],
    ['encoded dots', 'GET /api/v1/%2e%2E/v1/credits HTTP/1.1'],
    ['a backslash', 'GET /api/v1\\..\\..\\operator\\reviews HTTP/1.1'],
    ['a fragment', `GET ${path}#a HTTP/1.1`],
    ['a star', 'GET * HTTP/1.1'],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1'],
    ['HTTP/0.9', `GET ${path}`],
    ['HTTP/2.0', `GET ${path} HTTP/2.0`],
    ['HTTP/3.0', `GET ${path} HTTP/3.0`],
    ['HTTP/9.9', `GET ${path} HTTP/9.9`],
    ['HTTP/1', `GET ${path} HTTP/1`],
    ['HTTP/11', `GET ${path} HTTP/11`],
    ['HTTP/1.x', `GET ${path} HTTP/1.x`],
    ['http in small letters', `GET ${path} http/1.1`],
    ['another protocol', `GET ${path} HTTQ/1.1`],
    ['words behind the version', `GET ${path} HTTP/1.1 x`],
  ]
  const whole: [name: string, bytes: string][] = [
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['SMTP', 'EHLO example.com\r\n'],
    ['a PROXY line', `PROXY TCP4 192.0.2.1 192.0.2.2 5 6\r\nGET ${path} HTTP/1.1\r\n${rest}`],
    ['zeros', '\0'.repeat(64)],
    ['line feeds alone', `GET ${path} HTTP/1.1\nHost: ${target.host}\n\n`],
    ['carriage returns alone', `GET ${path} HTTP/1.1\rHost: ${target.host}\r\r`],
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ]
  const taken: [name: string, bytes: string, statuses: number[]][] = [
    ['a whole URL', `GET http://${target.host}${path} HTTP/1.1\r\n${rest}`, [200]],
    ['HTTP/1.0', `GET ${path} HTTP/1.0\r\n${rest}`, [200]],
    ['an empty line in front', `\r\n${head(target, 'GET', path)}`, [200]],
    ['HEAD', head(target, 'HEAD', path, 'Connection: close\r\n'), [200, 404, 405]],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${rest}`, [400, 404, 405]],
    ['TRACE', head(target, 'TRACE', path), [400, 404, 405]],
    ['PATCH', head(target, 'PATCH', path), [405]],
    ['two slashes', head(target, 'GET', `/${path}`), [404]],
    ['an escaped slash', head(target, 'GET', '/api%2fv1%2fcredits'), [404]],
    ['an escape that is none', head(target, 'GET', '/api/v1/tasks/%zz'), [400]],
  ]
  return [
    ...refused.map(([name, line]): WireCase => ({ name, bytes: `${line}\r\n${rest}`, expects: 'refusal' })),
    ...whole.map(([name, bytes]): WireCase => ({ name, bytes, expects: 'refusal' })),
    ...taken.map(([name, bytes, expects]): WireCase => ({ name, bytes, expects })),
  ]
}
