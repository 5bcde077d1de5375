/** Kept types: timing, recovery, packing, orientation, colour. Everything else may be private data. */
const keptTypes = {
  h264: [0, 1, 3, 6, 7, 45, 47, 137, 144, 147],
  hevc: [0, 1, 3, 6, 45, 47, 128, 129, 130, 131, 132, 137, 144, 147],
}
export type MessageCodec = keyof typeof keptTypes

const fillerType = 3
const userDataType = 5
/** x264's own message. Decoders need its build number: 4:4:4 of builds before 151 is coded in another way. */
const x264Id = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex')
const x264Build = /^x264 - core \d{1,4}(?!\d)/
const stopByte = 0x80
/** Longer messages are blanked unread: those that a decoder needs have some hundred bytes. */
const readBytesMax = 65_536
const fillTriesMax = 4

/**
 * Replaces SEI messages of one unit that may contain private data with filler, in place and in the same length.
 * Returns false if the unit has no messages, or only kept ones. Of x264's message its build number stays.
 */
export function blankMessages(unit: Buffer, codec: MessageCodec): boolean {
  const header = codec === 'h264' ? 1 : 2
  if (unit.length <= header + 1 || !holdsMessages(unit[0] ?? 0, codec)) return false
  const messages = unit.length <= readBytesMax ? readMessages(unescaped(unit.subarray(header))) : undefined
  const kept = messages?.flatMap(message => keptPart(message, codec) ?? []) ?? []
  if (messages?.every((message, index) => kept[index]?.equals(message.bytes))) return false
  const bodyBytes = unit.length - header
  const body = padToSize(kept, bodyBytes) ?? padToSize([], bodyBytes)
  body?.copy(unit, header)
  return body !== undefined
}

/** Decides by the first byte of a unit. */
export const holdsMessages = (first: number, codec: MessageCodec): boolean =>
  codec === 'h264' ? (first & 0x1f) === 6 : [39, 40].includes((first >> 1) & 0x3f)

type Message = { type: number; bytes: Buffer; payload: Buffer }

/** A message that stays, or x264's in its length with the build number alone. */
function keptPart({ type, bytes, payload }: Message, codec: MessageCodec): Buffer | undefined {
  if (keptTypes[codec].includes(type)) return bytes
  if (codec !== 'h264' || type !== userDataType || !payload.subarray(0, x264Id.length).equals(x264Id)) return undefined
  const [build] = x264Build.exec(payload.toString('latin1', x264Id.length)) ?? []
  if (build === undefined) return undefined
  const blanked = Buffer.from(bytes)
  return blanked.fill(' ', bytes.length - payload.length + x264Id.length + build.length)
}

/** Undefined if the messages don't end where the unit does. */
function readMessages(data: Buffer): Message[] | undefined {
  const messages: Message[] = []
  let at = 0
  const number = (): number => {
    let value = 0
    while (data[at] === 0xff) {
      value += 255
      at += 1
    }
    value += data[at] ?? 0
    at += 1
    return value
  }
  while (at < data.length - 1) {
    const start = at
    const type = number()
    const payloadBytes = number()
    const payloadAt = at
    at += payloadBytes
    if (at >= data.length) return undefined
    messages.push({ type, bytes: data.subarray(start, at), payload: data.subarray(payloadAt, at) })
  }
  return data[at] === stopByte ? messages : undefined
}

/** Kept messages plus fillers, escaped, in exactly `bodyBytes`; undefined if no filler size fits. */
function padToSize(kept: Buffer[], bodyBytes: number): Buffer | undefined {
  const start = Buffer.concat(kept)
  const room = bodyBytes - escaped(start).length - 1
  // An escaped filler must be shorter. One byte is too small for a filler.
  for (let fillerBytes = room; fillerBytes > room - fillTriesMax && fillerBytes >= 0; fillerBytes -= 1) {
    const body = fillerBytes === 1 ? start : escaped(Buffer.concat([start, ...fillers(fillerBytes), Buffer.from([stopByte])]))
    if (body.length === bodyBytes) return body
  }
  return undefined
}

/** Filler messages of exactly `total` bytes: 0, or 2 and more. */
function fillers(total: number): Buffer[] {
  if (total === 0) return []
  // The size field grows at 255, so one length in 256 needs an extra empty filler.
  const payload = total - 2 - Math.floor((total - 2) / 256)
  const size = Buffer.concat([Buffer.alloc(Math.floor(payload / 255), 0xff), Buffer.from([payload % 255])])
  const one = Buffer.concat([Buffer.from([fillerType]), size, Buffer.alloc(payload, 0xff)])
  return one.length === total ? [one] : [Buffer.from([fillerType, 0]), ...fillers(total - 2)]
}

/** Removes emulation prevention bytes (0x03 after two zeros). */
function unescaped(data: Buffer): Buffer {
  const plain = Buffer.alloc(data.length)
  let length = 0
  let zeros = 0
  for (const byte of data) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    plain[length] = byte
    length += 1
  }
  return plain.subarray(0, length)
}

function escaped(data: Buffer): Buffer {
  const bytes = Buffer.alloc(data.length + (data.length >> 1))
  let length = 0
  let zeros = 0
  for (const byte of data) {
    if (zeros >= 2 && byte <= 3) {
      bytes[length++] = 3
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}
