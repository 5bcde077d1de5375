import { createServer } from 'node:net'
import { parseAddress } from '@filmgate/kit/safe-fetch/address'

/** What the name server says of a name. Several answers are given in turn, one a question, so that a name can change its mind. */
export type Zone = Record<string, Reply | Reply[]>
export type Reply = { a?: string[]; aaaa?: string[]; cname?: string; rcode?: number; silent?: boolean; failsFor?: 'a' | 'aaaa' }

export const zoneName = 'vectors-media.net'
const types = { a: 1, cname: 5, aaaa: 28 } as const
const udpBytesMax = 512

/** `a-10-0-0-1` and `s-<32 hex digits>` are addresses in a name; everything else is in the zone or does not exist. */
function lookUp(zone: Zone, name: string, type: number, turns: Map<string, number>): Reply {
  const label = name.toLowerCase().replace(`.${zoneName}`, '')
  const quad = /^a-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(label)
  if (quad) return { a: [quad.slice(1).join('.')] }
  const hex = /^s-([0-9a-f]{32})$/.exec(label)?.[1]
  if (hex) return { aaaa: [hex.match(/.{4}/g)?.join(':') ?? ''] }
  const replies = zone[label]
  if (!replies) return { rcode: 3 }
  if (!Array.isArray(replies)) return replies
  const turn = turns.get(`${label}/${type}`) ?? 0
  turns.set(`${label}/${type}`, turn + 1)
  return replies[Math.min(turn, replies.length - 1)] ?? { rcode: 3 }
}

/** A name server over UDP and TCP on port 53 of every address here. */
export async function startDnsServer(zone: Zone): Promise<void> {
  const turns = new Map<string, number>()
  const answer = (query: Buffer, bytesMax: number): Buffer | undefined => {
    const { name, type, end } = readQuestion(query)
    const reply = lookUp(zone, name, type, turns)
    if (reply.silent) return undefined
    const failed = (reply.failsFor === 'a' && type === types.a) || (reply.failsFor === 'aaaa' && type === types.aaaa)
    const records = failed || reply.rcode ? [] : recordsOf(reply, type)
    const whole = message(query.subarray(0, end), records, failed ? 2 : (reply.rcode ?? 0), false)
    return whole.length <= bytesMax ? whole : message(query.subarray(0, end), [], 0, true)
  }
  await Bun.udpSocket({
    hostname: '0.0.0.0',
    port: 53,
    socket: {
      data(socket, query, port, address) {
        const reply = answer(Buffer.from(query), udpBytesMax)
        if (reply) socket.send(reply, port, address)
      },
    },
  })
  createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', data => {
      const reply = answer(Buffer.from(data).subarray(2), 65_535)
      if (reply) socket.end(Buffer.concat([u16(reply.length), reply]))
    })
  }).listen(53, '0.0.0.0')
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let offset = 12
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(offset + 1), end: offset + 5 }
}

/** A CNAME comes with the addresses it leads to, as a resolver gives them; they carry the asked name's alias as owner. */
function recordsOf({ a = [], aaaa = [], cname }: Reply, type: number): Buffer[] {
  const owner = cname ? encodeName(cname) : Buffer.from([0xc0, 12])
  const alias = cname ? [record(Buffer.from([0xc0, 12]), types.cname, encodeName(cname))] : []
  const addresses = type === types.a ? a : type === types.aaaa ? aaaa : []
  return [...alias, ...addresses.map(address => record(owner, type, addressBytes(address)))]
}

const record = (owner: Buffer, type: number, data: Buffer) =>
  Buffer.concat([owner, u16(type), u16(1), Buffer.alloc(4), u16(data.length), data])
const encodeName = (name: string) =>
  Buffer.concat([...name.split('.').map(label => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])])

function message(question: Buffer, records: Buffer[], rcode: number, truncated: boolean): Buffer {
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | rcode, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question.subarray(12), ...records])
}

function addressBytes(text: string): Buffer {
  const address = parseAddress(text)
  if (!address) throw new Error(`not an address: ${text}`)
  return Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex')
}

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}
