import { type Address, parseAddress } from './address'

/** Addresses that share a prefix. */
export type Range = { family: 4 | 6; first: bigint; last: bigint }

/** Reads `10.0.0.0/8` or `fc00::/7`; an address alone is a range of one. Throws on anything else. */
export function parseRange(text: string): Range {
  const [base = '', prefix, ...rest] = text.trim().split('/')
  const address = parseAddress(base)
  if (!address || rest.length > 0) throw new Error(`is not a range of addresses: ${JSON.stringify(text)}`)
  const width = address.family === 4 ? 32 : 128
  const bits = prefix === undefined ? width : /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (bits < 0 || bits > width) throw new Error(`has no valid prefix length: ${JSON.stringify(text)}`)
  const size = 1n << BigInt(width - bits)
  const first = (address.value / size) * size
  return { family: address.family, first, last: first + size - 1n }
}

export const contains = (range: Range, address: Address): boolean =>
  range.family === address.family && range.first <= address.value && address.value <= range.last
