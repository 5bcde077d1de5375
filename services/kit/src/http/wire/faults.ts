import type { Reasons } from '../../failure'

/** What is wrong with a request before it is one: answered with an ErrorResponse, and the connection is closed behind it. */
export const protocolFaults = {
  invalid_http: [400, 'This is not a request of HTTP/1.1.'],
  too_many_pipelined: [400, 'At most 32 requests are taken on a connection before the one in front is answered.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  expectation_failed: [417, 'The only expectation that is met is 100-continue.'],
  headers_too_large: [431, 'The request line and the headers have at most 16 KiB, in at most 200 lines.'],
  http_version_not_supported: [505, 'Send HTTP/1.1 or HTTP/1.0.'],
} as const satisfies Reasons

export type ProtocolFault = keyof typeof protocolFaults

/** The runtime's code for what it could not read; undefined where there is nobody left to tell. */
export function faultOf(code: string | undefined): ProtocolFault | undefined {
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') return 'http_version_not_supported'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_http'
}
