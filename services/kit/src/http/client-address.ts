/** Of a request whose connection has closed before it was asked for: nobody's, and to be counted as nobody's. */
export const unknownAddress = 'unknown'

/**
 * The client's address. `trustedProxies` of ours stand in front and append to X-Forwarded-For; entries further left come from the client
 * and are not trusted.
 */
export function createClientAddress(
  trustedProxies: number,
  peerOf: (request: Request) => string | undefined,
): (request: Request) => string {
  return request => {
    const forwarded = trustedProxies > 0 ? request.headers.get('x-forwarded-for')?.split(',') : undefined
    return forwarded?.at(-trustedProxies)?.trim() || peerOf(request) || unknownAddress
  }
}
