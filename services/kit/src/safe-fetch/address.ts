/** An IP address as a number, so that ranges are compared and never spellings. */
export type Address = { family: 4 | 6; value: bigint }

const octet = /^(?:0|[1-9][0-9]{0,2})$/
const group = /^[0-9a-f]{1,4}$/i

/** Reads a dotted quad or any spelling of an IPv6 address without a zone; undefined for everything else. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const value = parseQuad(text)
    return value === undefined ? undefined : { family: 4, value }
  }
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = readGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? readGroups(halves[1] ?? '', true) : []
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...new Array<bigint>(missing).fill(0n), ...tail]
  return { family: 6, value: groups.reduce((value, part) => (value << 16n) | part, 0n) }
}

function parseQuad(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => octet.test(part) && Number(part) <= 255)) return undefined
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

/** The groups between colons; only the last one of an address may be a dotted quad. */
function readGroups(text: string, last: boolean): bigint[] | undefined {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (group.test(part)) groups.push(BigInt(`0x${part}`))
    else {
      const quad = last && index === parts.length - 1 ? parseQuad(part) : undefined
      if (quad === undefined) return undefined
      groups.push(quad >> 16n, quad & 0xffffn)
    }
  }
  return groups
}
