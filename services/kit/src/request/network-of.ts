/** The address alone: without a port or a zone, and as one of IPv4 where it is that. */
export function plainAddress(address: string): string {
  const plain = withoutPort(address)
  return ipv4Of(plain) ?? plain
}

/** An address of IPv4, or the /64 of one of IPv6: what a household has, and may take any address of. What is no address stays as it is. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  return plain.includes(':') ? groupsOf(plain).slice(0, 4).join(':') : plain
}

/** The /48 of an address of IPv6: what a site has, or anybody who asks for a tunnel. Undefined for one of IPv4. */
export function siteOf(address: string): string | undefined {
  const plain = plainAddress(address)
  return plain.includes(':') ? groupsOf(plain).slice(0, 3).join(':') : undefined
}

/** Some proxies write the port too; a zone is the machine's own. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? []
  const [, dotted] = /^([\d.]+):\d+$/.exec(address) ?? []
  return (bracketed ?? dotted ?? address).replace(/%.*$/, '')
}

/** An address of IPv4 that is written as one of IPv6, in either form. */
function ipv4Of(address: string): string | undefined {
  const [, dotted] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (dotted !== undefined) return dotted
  const groups = address.includes(':') ? groupsOf(address) : []
  if (groups.length !== 8 || groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  return groups
    .slice(6)
    .map(group => Number.parseInt(group, 16))
    .flatMap(pair => [pair >> 8, pair & 255])
    .join('.')
}

/** All eight, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = address.toLowerCase().split('::')
  const [first, last] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)]
  const zeros = address.includes('::') ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0') : []
  return [...first, ...zeros, ...last].map(group => group.replace(/^0+(?=.)/, ''))
}
