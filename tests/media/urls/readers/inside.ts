import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { Failure } from '@filmgate/kit/failure'
import { safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { startChromium } from '../../../support/browser/chromium'
import { connectDevtools } from '../../../support/browser/devtools'
import { openTab } from '../../../support/browser/tab'
import { startDnsServer } from '../dns-server'
import { makeInternet } from '../namespace'
import { answerOf, media, type ReaderCase, readerCases, readerZone } from './cases'

/**
 * Runs in a network namespace of its own, in which every address leads here: `bun inside.ts FOLDER CHROMIUM`. The folder has cert.pem, key.pem
 * and ca.pem. Prints where each reader arrived in each case, as JSON.
 */
const [folder = '', chromium = ''] = process.argv.slice(2)
const stopped = { name: 'none', ours: 'none' }
let current: ReaderCase = stopped
/** The last request of the current reader that was no first one. */
let arrived: string | undefined

const certificate = { cert: await Bun.file(join(folder, 'cert.pem')).text(), key: await Bun.file(join(folder, 'key.pem')).text() }
await makeInternet([1], folder)
await startDnsServer(readerZone)
for (const port of [443, 8443])
  createTlsServer(certificate, socket => serve(socket, port === 443 ? '' : `:${port}`))
    .on('tlsClientError', () => undefined)
    .listen(port, '::')
createServer(socket => serve(socket, ':80')).listen(80, '::')

const rows: Record<string, string>[] = readerCases.map(({ name }) => ({ name }))
await readAll('ours', async url => {
  const { body } = await safeFetch({ forbiddenRanges: [], trustedOrigins: [] }, { url, limits: { headersTimeoutMs: 3_000 } })
  for await (const _ of body);
})
await readAll('curl', async url => {
  const words = ['curl', '-sS', '-L', '-k', '-m', '10', '-o', '/dev/null', url]
  const child = Bun.spawn(words, { stdout: 'ignore', stderr: 'ignore', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  await child.exited
})
const browser = await startChromium(chromium, ['--ignore-certificate-errors'])
const devtools = await connectDevtools(browser.url)
const tab = await openTab(devtools, 'data:text/html,', { width: 800, scheme: 'light' })
await readAll('chromium', async url => {
  await tab.send('Network.clearBrowserCookies')
  await tab.send('Page.navigate', { url })
})
devtools.close()
await browser.stop()
await Bun.write(join(folder, 'rows.json'), JSON.stringify(rows))
process.exit(0)

async function readAll(reader: string, read: (url: string) => Promise<void>): Promise<void> {
  for (const [index, one] of readerCases.entries()) {
    current = one
    arrived = undefined
    const refusal = await read(one.url ?? `https://${media}/case`).then(
      () => '',
      error => (error instanceof Failure ? error.reason : String(error)),
    )
    rows[index] = { ...rows[index], [reader]: refusal || arrived || '' }
    current = stopped
  }
}

function serve(socket: Socket, port: string): void {
  const sends = (...lines: string[]) => void socket.end(lines.join('\r\n'))
  socket.on('error', () => undefined)
  socket.once('data', data => {
    const text = data.toString('latin1')
    const [, target = ''] = text.split(' ')
    const isStep = target === '/case' || /^\/hop\d+$/.test(target)
    if (target === '/needs-cookie' && !/^cookie: a=b/im.test(text))
      return sends('HTTP/1.1 302 Found', 'Content-Length: 0', 'Connection: close', 'Set-Cookie: a=b', 'Location: /needs-cookie', '', '')
    if (isStep) return void socket.end(answerOf(current, target))
    if (target !== '/favicon.ico') arrived = `${/^host: ([^\r\n:]*)/im.exec(text)?.[1]}${port}${target}`
    sends('HTTP/1.1 200 OK', 'Content-Type: text/plain', 'Content-Length: 2', 'Connection: close', '', 'ok')
  })
}
