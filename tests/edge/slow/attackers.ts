import { connect } from 'node:net'

/*
 * A process of its own, so that its sockets don't slow down who measures: `bun attackers.ts PORT KEY SECONDS`. Keeps 300 heads and 300
 * bodies dripping and 500 connections silent, opens one for each that ends, and prints how all of them ended.
 */
const [port, key, seconds] = process.argv.slice(2)
const dripEveryMs = 500
const waitedMsMax = 45_000

type Kind = 'head' | 'body' | 'idle'
const counts: Record<Kind, number> = { head: 300, body: 300, idle: 500 }
/** By kind and by what came last: a status, `closed` or `hung`. */
const ends: Record<string, number> = {}
const firstBytes: Record<Kind, string> = {
  head: 'GET /api/v1/credits HTTP/1.1\r\nHost: gateway.example\r\nX: ',
  body: `POST /api/v1/video/estimate HTTP/1.1\r\nHost: gateway.example\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`,
  idle: '',
}

let going = true
const open = new Set<Promise<void>>()

function attack(kind: Kind): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  open.add(promise)
  let answer = ''
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  const drip = setInterval(() => kind !== 'idle' && socket.write(' '), dripEveryMs)
  const end = (how: string) => {
    clearInterval(drip)
    clearTimeout(hangTimer)
    socket.destroy()
    const status = / (\d{3}) /.exec(answer)?.[1]
    const isError = /\r\n\r\n\{"error":\{"code":"[a-z_]+","message":"/.test(answer)
    const ending = `${kind} ${status === undefined ? how : `${status}${isError ? '' : ' without an ErrorResponse'}`}`
    if (ends[ending] === undefined) ends[ending] = 0
    ends[ending] += 1
    open.delete(promise)
    resolve()
    if (going) attack(kind)
  }
  let ended = false
  const once = (how: string) => {
    if (ended) return
    ended = true
    end(how)
  }
  const hangTimer = setTimeout(() => once('hung'), waitedMsMax)
  socket.on('connect', () => firstBytes[kind] && socket.write(firstBytes[kind]))
  socket.on('data', data => {
    answer += data
  })
  socket.on('close', () => once('closed'))
  socket.on('error', () => once('closed'))
}

for (const kind of ['head', 'body', 'idle'] as const) for (let index = 0; index < counts[kind]; index++) attack(kind)
process.stdout.write('open\n')
await Bun.sleep(Number(seconds) * 1_000)
going = false
while (open.size > 0) await Promise.all(open)
process.stdout.write(`${JSON.stringify(ends)}\n`)
process.exit(0)
