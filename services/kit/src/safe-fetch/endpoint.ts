import { isIP } from 'node:net'

/** Where a connection goes, without a name: no name server has a part in it. */
export type Endpoint = { host: string; port: number }

/** Reads `address:port`, an IPv6 address in brackets. Throws a plain sentence. */
export function parseEndpoint(text: string): Endpoint {
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):([0-9]{1,5})$/i.exec(text) ?? []
  const host = v6 ?? v4 ?? ''
  if (isIP(host) === 0 || Number(port) > 65_535) throw new Error(`is not an address and a port, as in 1.1.1.1:443 or [::1]:443: ${text}`)
  return { host, port: Number(port) }
}
