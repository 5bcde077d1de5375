import { createHash } from 'node:crypto'
import { bytes, u16, u32 } from './boxes'

const number = (value: number) => u32(Math.round(value * 65_536))
const point = (x: number, y: number, z: number) => bytes('XYZ ', u32(0), number(x), number(y), number(z))
const curve = (gamma: number) => bytes('curv', u32(0), u32(1), u16(Math.round(gamma * 256)), u16(0))
const label = (line: string) => bytes('desc', u32(0), u32(line.length + 1), line, [0], u32(0), u32(0), Buffer.alloc(70))

/** A display's or scanner's ICC profile of version 2, with as much private data as makes it `size` long. */
export function colourProfile(name: string, { space = 'RGB ', gamma = 2.2, size = 0 } = {}): Buffer {
  const parts: [string, Buffer][] = [
    ['desc', label(name)],
    ['cprt', bytes('text', u32(0), 'none\0')],
    ['wtpt', point(0.9642, 1, 0.8249)],
    ...(space === 'GRAY'
      ? ([['kTRC', curve(gamma)]] as [string, Buffer][])
      : ([
          ['rXYZ', point(0.5151, 0.2412, -0.0011)],
          ['gXYZ', point(0.2919, 0.6922, 0.0419)],
          ['bXYZ', point(0.1572, 0.0666, 0.7841)],
          ['rTRC', curve(gamma)],
          ['gTRC', curve(gamma)],
          ['bTRC', curve(gamma)],
        ] as [string, Buffer][])),
    ...(size ? ([['priv', bytes('text', u32(0), Buffer.alloc(size, 'p'))]] as [string, Buffer][]) : []),
  ].map(([tag = '', data = Buffer.alloc(0)]) => [String(tag), bytes(data as Buffer, Buffer.alloc((4 - ((data as Buffer).length % 4)) % 4))])
  let at = 132 + parts.length * 12
  const table = parts.map(([tag, data]) => {
    const row = bytes(tag, u32(at), u32(data.length))
    at += data.length
    return row
  })
  const body = bytes(u32(parts.length), ...table, ...parts.map(([, data]) => data))
  const head = bytes(
    u32(128 + body.length),
    'lcms',
    u32(0x02400000),
    'mntr',
    space,
    'XYZ ',
    Buffer.alloc(12),
    'acsp',
    'APPL',
    Buffer.alloc(24),
    number(0.9642),
    number(1),
    number(0.8249),
    Buffer.alloc(48),
  )
  return bytes(head, body)
}

export const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
