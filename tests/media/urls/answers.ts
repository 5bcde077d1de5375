import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** Raw answers of the media host by path: what lies is written byte by byte. `picture` is a JPEG that passes. */
export function makeAnswers(picture: Buffer): Record<string, (socket: Socket, query: URLSearchParams) => void> {
  const whole = (headers: string, body: Buffer | string = '', status = '200 OK') => {
    const bytes = Buffer.from(body)
    return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${bytes.length}\r\n${headers}\r\n`), bytes])
  }
  const sends = (bytes: Buffer) => (socket: Socket) => void socket.end(bytes)
  const status = (line: string) => sends(whole('', picture, line))
  const bomb = gzipSync(Buffer.alloc(200_000_000))
  const drip = (head: string) => (socket: Socket) => {
    socket.write(head)
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 1_000)
  }
  let gets = 0
  return {
    '/ok.jpg': sends(whole('Content-Type: image/jpeg\r\n', picture)),
    '/lying-type.jpg': sends(whole('Content-Type: video/mp4\r\n', picture)),
    '/no-length': socket => void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), picture])),
    '/chunked': socket =>
      void socket.end(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${picture.length.toString(16)}\r\n`),
          picture,
          Buffer.from('\r\n0\r\n\r\n'),
        ]),
      ),
    '/early-hints': socket =>
      void socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: <https://10.0.0.1/>; rel=preload\r\n\r\n'), whole('', picture)]),
      ),
    '/interims': sends(Buffer.concat([Buffer.from('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'), whole('', picture)])),
    '/alt-svc': sends(whole('Alt-Svc: h3="10.0.0.1:443"; ma=86400, h2="10.0.0.1:443"\r\n', picture)),
    '/changes': socket => {
      gets += 1
      socket.end(whole('', gets === 1 ? picture : Buffer.from('<html>')))
    },
    '/too-short-length': socket =>
      void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'), picture])),
    '/too-long-length': socket =>
      void socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${picture.length + 1000}\r\n\r\n`), picture])),
    '/huge-length': socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n'),
    '/two-lengths': socket =>
      void socket.end(
        Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${picture.length}\r\nContent-Length: 3\r\n\r\n`), picture]),
      ),
    '/length-and-chunked': socket =>
      void socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n'), picture]),
      ),
    '/bad-chunk': socket => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n'),
    '/chunk-cut': socket =>
      void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n'), picture])),
    '/endless': endless,
    '/drip': drip('HTTP/1.1 200 OK\r\n\r\n'),
    '/drip-headers': drip('HTTP/1.1 200 OK\r\nX-Slow: '),
    '/silent': () => undefined,
    '/closes': socket => void socket.end(),
    '/cut-headers': socket => void socket.end('HTTP/1.1 200 OK\r\nContent-'),
    '/megabyte-of-headers': socket =>
      void socket.end(`HTTP/1.1 200 OK\r\n${Array.from({ length: 1000 }, (_, i) => `X-${i}: ${'a'.repeat(1000)}\r\n`).join('')}\r\n`),
    '/not-http': socket => void socket.end('220 mail.example ESMTP\r\n'),
    '/gzip': sends(whole('Content-Encoding: gzip\r\n', gzipSync(picture))),
    '/br': sends(whole('Content-Encoding: br\r\n', brotliCompressSync(picture))),
    '/zstd': sends(whole('Content-Encoding: zstd\r\n', zstdCompressSync(picture))),
    '/gzip-bomb': sends(whole('Content-Encoding: gzip\r\n', bomb)),
    '/multipart': sends(
      whole(
        'Content-Type: multipart/mixed; boundary=b\r\n',
        `--b\r\nContent-Type: image/jpeg\r\n\r\n${picture.toString('latin1')}\r\n--b--`,
      ),
    ),
    '/html': sends(
      whole(
        'Content-Type: text/html\r\nRefresh: 0; url=https://10.0.0.1/\r\n',
        '<html><meta http-equiv="refresh" content="0;url=https://10.0.0.1/">',
      ),
    ),
    '/empty': sends(whole('')),
    '/204': socket => void socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
    '/206': status('206 Partial Content'),
    '/304': socket => void socket.end('HTTP/1.1 304 Not Modified\r\n\r\n'),
    '/401': status('401 Unauthorized'),
    '/404': status('404 Not Found'),
    '/500': status('500 Internal Server Error'),
    '/300': status('300 Multiple Choices'),
    '/999': status('999 Other'),
    '/redirect-nowhere': sends(whole('', '', '302 Found')),
    '/relative': sends(whole('Location: ok.jpg\r\n', '', '302 Found')),
    '/loop': sends(whole('Location: /loop\r\n', '', '302 Found')),
    '/hops': (socket, query) => {
      const left = Number(query.get('n'))
      socket.end(whole(`Location: ${left > 1 ? `/hops?n=${left - 1}` : '/ok.jpg'}\r\n`, '', '307 Temporary Redirect'))
    },
    '/to': (socket, query) => void socket.end(whole(`Location: ${query.get('url')}\r\n`, '', query.get('status') ?? '302 Found')),
  }
}

/** Whole files, as they are. */
export const fileAnswers = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, path]) => {
      const body = readFileSync(path)
      const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`)
      return [`/file/${name}`, (socket: Socket) => void socket.end(Buffer.concat([head, body]))]
    }),
  )

function endless(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(65_532)]))) {}
  }
  socket.write('HTTP/1.1 200 OK\r\n\r\n')
  socket.on('drain', more)
  more()
}
