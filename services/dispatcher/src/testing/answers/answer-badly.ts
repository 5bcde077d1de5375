import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { ownError } from './own-errors'
import { type Row, rowNames, rows } from './rows'

const page = '<!DOCTYPE html><html><head><title>Access denied</title></head><body><h1>Sorry, you have been blocked</h1></body></html>'

/** Which call of a poll is answered badly: the first, or the one that the first one's answer leads to. */
export type Step = 'first' | 'second'

/** A good answer to the first call of those polls that take two. `base`: the provider's address. */
const firstAnswers: Record<string, (base: string) => object> = {
  fal: () => ({ status: 'COMPLETED' }),
  'minimax, Hailuo': () => ({ task_id: '7', status: 'Success', file_id: '9', base_resp: { status_code: 0, status_msg: 'success' } }),
  'google, Omni': base => ({
    ...{ id: 'v1_7', status: 'completed' },
    steps: [{ type: 'model_output', content: [{ type: 'video', uri: `${base}/files/9:download?alt=media` }] }],
  }),
}
const firstPath = /\/status$|\/query\/video_generation\?|\/interactions\//
export const twoStepFakes = Object.keys(firstAnswers)

/** A server that answers each call as the row that is in its path says, in the words of the fake that is there too. */
export async function answerBadly() {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { cert, key } = makeCertificate({ names: ['another.example'] })
  const untrusted = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert, key }, fetch: () => new Response('{}') })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, row = '', step, fake = ''] = (request.url ?? '').split('/')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const name = decodeURIComponent(fake)
    const first = step === 'second' ? firstAnswers[name] : undefined
    if (first && firstPath.test(request.url ?? '')) return send(response, 200, first(`${origin}/${row}/${step}/${fake}`))
    answer(response, rowNames[Number(row)] ?? 'silence', name, Buffer.concat(chunks).toString())
  }

  return {
    origin,
    urlOf: (row: Row, step: Step, fake: string) =>
      `${row === 'TLS fault' ? `https://127.0.0.1:${untrusted.port}` : origin}/${rowNames.indexOf(row)}/${step}/${encodeURIComponent(fake)}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await untrusted.stop(true)
    },
  }
}

function answer(response: ServerResponse, row: Row, fake: string, sent: string): void {
  const how = rows[row]
  if (how === 'reset') return void response.socket?.destroy()
  if (typeof how === 'string') return
  const { status, body, retryAfter } = how
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  if (body === 'page') return void send(response, status, page, 'text/html')
  // A store of outputs has one form of error for all.
  send(response, status, fake === 'output' ? { error: body } : ownError(fake, body, status, sent === '' ? undefined : JSON.parse(sent)))
}

function send(response: ServerResponse, status: number, body: object | string, type = 'application/json'): void {
  // A connection that is kept may be closed just as the next call is sent on it, which would be another row.
  response.writeHead(status, { 'content-type': type, connection: 'close' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
