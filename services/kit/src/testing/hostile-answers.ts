import type { Socket } from 'node:net'
import type { FetchReason } from '../safe-fetch/fetch-policy'

/** What a host may do to whoever fetches from it, byte by byte, and what must come of it: the body, or why there is none. */
export type HostileAnswer = {
  name: string
  answer(socket: Socket): void
  outcome: FetchReason | { body: string }
  /** Bytes of a body reach their reader before the answer is seen to be invalid. */
  bodyComesFirst?: true
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** Sends and ends its side. */
const ends = (bytes: string) => (socket: Socket) => void socket.end(bytes)
/** Sends and keeps the connection, neither speaking nor listening. */
const stays = (bytes: string) => (socket: Socket) => void socket.write(bytes)
/** Sends and cuts the connection. */
const cuts = (bytes: string) => (socket: Socket) => void socket.write(bytes, () => socket.resetAndDestroy())

/** As fast as the other side takes it, for ever. */
const floods = (head: string, piece: string) => (socket: Socket) => {
  const pieces = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  const more = () => {
    while (!socket.destroyed && socket.write(pieces)) {}
  }
  socket.write(head)
  socket.on('drain', more)
  more()
}

/** A little of it ten times a second, for ever. */
const drips = (head: string, piece: string) => (socket: Socket) => {
  socket.write(head)
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 100)
}

const interim = 'HTTP/1.1 103 Early Hints\r\nLink: <https://10.0.0.1/>; rel=preload\r\n\r\n'
const upgrade = (status: string) => `HTTP/1.1 ${status}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`

/** Every status there is, with a body and without one, on a connection that stays open. */
const statuses: HostileAnswer[] = Array.from({ length: 500 }, (_, index) => index + 100).flatMap(status => {
  const announces = status < 200 && status !== 101
  const line = `HTTP/1.1 ${status} Status\r\n`
  return [
    {
      name: `${status} without a body`,
      answer: stays(announces ? `${line}\r\n` : `${line}Content-Length: 0\r\n\r\n`),
      outcome: status === 200 ? { body: '' } : announces ? 'timed_out' : 'status_unexpected',
    },
    {
      name: `${status} with a body`,
      answer: stays(`${line}Content-Length: 9\r\n\r\nhello\r\n\r\n`),
      outcome: status === 200 ? { body: 'hello\r\n\r\n' } : announces ? 'answer_invalid' : 'status_unexpected',
    },
  ]
})

const handedOver: HostileAnswer[] = [
  {
    name: '101 with an upgrade and raw bytes behind',
    answer: stays(`${upgrade('101 Switching Protocols')}\x81\x05hello`),
    outcome: 'status_unexpected',
  },
  { name: '101 with an upgrade and its end', answer: ends(upgrade('101 Switching Protocols')), outcome: 'status_unexpected' },
  {
    name: '101 with an upgrade and endless raw bytes',
    answer: floods(upgrade('101 Switching Protocols'), '\x81\x05hello'),
    outcome: 'status_unexpected',
  },
  { name: '101 and then a whole answer', answer: ends(`${upgrade('101 Switching Protocols')}${ok}`), outcome: 'status_unexpected' },
  {
    name: '200 with an upgrade',
    answer: stays(`${upgrade('200 OK').trimEnd()}\r\nContent-Length: 5\r\n\r\nhello`),
    outcome: { body: 'hello' },
  },
  { name: '426 with an upgrade', answer: stays(upgrade('426 Upgrade Required')), outcome: 'status_unexpected' },
]

const interims: HostileAnswer[] = [
  { name: 'one 103 before the answer', answer: ends(`${interim}${ok}`), outcome: { body: 'hello' } },
  { name: 'a 100 and a 103 before the answer', answer: ends(`HTTP/1.1 100 Continue\r\n\r\n${interim}${ok}`), outcome: { body: 'hello' } },
  { name: 'twenty 103 before the answer', answer: ends(`${interim.repeat(20)}${ok}`), outcome: 'answer_invalid' },
  {
    name: 'a 102, a 103 and one of nobody’s before the answer',
    answer: ends(`HTTP/1.1 102 Processing\r\n\r\n${interim}HTTP/1.1 199 Own\r\n\r\n${ok}`),
    outcome: { body: 'hello' },
  },
  { name: 'endless 103', answer: floods('', interim), outcome: 'answer_invalid' },
  { name: 'endless 100', answer: floods('', 'HTTP/1.1 100 Continue\r\n\r\n'), outcome: 'answer_invalid' },
  { name: 'a 103 ten times a second', answer: drips('', interim), outcome: 'answer_invalid' },
  { name: 'a 103 of endless headers', answer: floods('HTTP/1.1 103 Early Hints\r\n', 'Link: <a>\r\n'), outcome: 'answer_invalid' },
  { name: 'a 103 and its end', answer: ends(interim), outcome: 'answer_invalid' },
]

const halves: HostileAnswer[] = [
  { name: 'an end before a byte', answer: ends(''), outcome: 'answer_invalid' },
  { name: 'an end within the status line', answer: ends('HTTP/1.1 20'), outcome: 'answer_invalid' },
  { name: 'an end within the headers', answer: ends('HTTP/1.1 200 OK\r\nContent-'), outcome: 'answer_invalid' },
  { name: 'an end within the body', answer: ends('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'), outcome: 'body_truncated' },
  { name: 'an end within a chunk', answer: ends(`${chunkedHead}100\r\nhello`), outcome: 'body_truncated' },
  { name: 'an end before the last chunk', answer: ends(`${chunkedHead}5\r\nhello\r\n`), outcome: 'body_truncated' },
  { name: 'an end of one side behind the whole answer', answer: ends(ok), outcome: { body: 'hello' } },
  { name: 'an end that is the body’s', answer: ends('HTTP/1.1 200 OK\r\n\r\nhello'), outcome: { body: 'hello' } },
  { name: 'a whole answer on a connection that stays', answer: stays(ok), outcome: { body: 'hello' } },
  { name: 'a reset before a byte', answer: cuts(''), outcome: 'answer_invalid' },
  { name: 'a reset within the body', answer: cuts('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'), outcome: 'body_truncated' },
  { name: 'a second answer behind the first', answer: stays(`${ok}${ok}`), outcome: { body: 'hello' } },
  { name: 'endless bytes behind the answer', answer: floods(ok, 'hello'), outcome: { body: 'hello' } },
  { name: 'silence', answer: () => undefined, outcome: 'timed_out' },
  { name: 'silence behind the headers', answer: stays('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'), outcome: 'too_slow' },
  { name: 'silence within a chunk', answer: stays(`${chunkedHead}100\r\nhello`), outcome: 'too_slow' },
]

const framings: HostileAnswer[] = [
  { name: 'chunks', answer: stays(`${chunkedHead}2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\n\r\n`), outcome: { body: 'hello' } },
  { name: 'HTTP/1.0', answer: ends('HTTP/1.0 200 OK\r\n\r\nhello'), outcome: { body: 'hello' } },
  { name: 'bare line feeds', answer: ends('HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'), outcome: { body: 'hello' } },
  { name: 'the same length twice', answer: ends(ok.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\n')), outcome: { body: 'hello' } },
  { name: 'two lengths', answer: ends(ok.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n')), outcome: 'answer_invalid' },
  {
    name: 'a length and chunks',
    answer: ends(ok.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')),
    outcome: 'answer_invalid',
  },
  { name: 'another coding', answer: ends(`${chunkedHead.replace('chunked', 'gzip, chunked')}0\r\n\r\n`), outcome: 'answer_invalid' },
  { name: 'chunks in HTTP/1.0', answer: ends(`${chunkedHead.replace('1.1', '1.0')}0\r\n\r\n`), outcome: 'answer_invalid' },
  ...['-5', '+5', '5x', '0x5', '', '1e1', '9'.repeat(30)].map(
    (length): HostileAnswer => ({
      name: `the length "${length}"`,
      answer: ends(ok.replace(': 5', `: ${length}`)),
      outcome: 'answer_invalid',
    }),
  ),
  ...['zz', '-5', '', `1${'0'.repeat(20)}`].map(
    (size): HostileAnswer => ({
      name: `the chunk size "${size}"`,
      answer: ends(`${chunkedHead}${size}\r\nhello\r\n`),
      outcome: 'answer_invalid',
    }),
  ),
  { name: 'a chunk longer than its size', answer: ends(`${chunkedHead}2\r\nhello\r\n0\r\n\r\n`), outcome: 'answer_invalid' },
  { name: 'an endless chunk extension', answer: floods(`${chunkedHead}5;`, 'a=b;'), outcome: 'answer_invalid' },
  { name: 'an endless trailer', answer: floods(`${chunkedHead}0\r\n`, 'X: y\r\n'), outcome: 'answer_invalid' },
  { name: 'a body of one-byte chunks', answer: floods(chunkedHead, '1\r\nx\r\n'), outcome: 'answer_invalid', bodyComesFirst: true },
  { name: 'an endless header', answer: floods('HTTP/1.1 200 OK\r\nX: ', 'a'), outcome: 'answer_invalid' },
  { name: 'endless headers', answer: floods('HTTP/1.1 200 OK\r\n', 'X: y\r\n'), outcome: 'answer_invalid' },
  { name: 'a header in drips', answer: drips('HTTP/1.1 200 OK\r\nX: ', 'a'), outcome: 'timed_out' },
  ...['220 mail.example ESMTP', 'HTTP/2 200', 'HTTP/1.1 20', 'HTTP/1.1 2000 OK', 'HTTP/1.1  200 OK', 'hello', ''].map(
    (line): HostileAnswer => ({ name: `the status line "${line}"`, answer: ends(`${line}\r\n\r\n`), outcome: 'answer_invalid' }),
  ),
  ...['no colon', 'a b: c', ': c', 'X: a\u0000b', 'X: a\rb'].map(
    (line): HostileAnswer => ({
      name: `the field ${JSON.stringify(line)}`,
      answer: ends(`HTTP/1.1 200 OK\r\n${line}\r\nContent-Length: 5\r\n\r\nhello`),
      outcome: 'answer_invalid',
    }),
  ),
]

/** What a parser of URLs throws at, or reads as another place: one of this host’s, where nothing answers, or one that is not followed. */
const locations: HostileAnswer[] = [
  ...['/\t/a:99999/', '//a:99999/', '//[::1/', '///', '//%', '//%zz/', 'https://%/', 'https://a:b/', 'https://', '\\\\[', 'https://[/'].map(
    location => ({ location, outcome: 'redirect_forbidden' as const }),
  ),
  ...['/x\thttps://a:99999/', '/a\tb', `/${'a'.repeat(3_000)}`].map(location => ({ location, outcome: 'timed_out' as const })),
  { location: 'https:', outcome: 'redirects_exceeded' as const },
].map(({ location, outcome }) => ({
  name: `the Location ${JSON.stringify(location.slice(0, 40))}`,
  answer: stays(`HTTP/1.1 302 Found\r\nLocation:${location}\r\nContent-Length: 0\r\n\r\n`),
  outcome,
}))

export const hostileAnswers: HostileAnswer[] = [...statuses, ...handedOver, ...interims, ...halves, ...framings, ...locations]
