/** Where RFC 8414 has an authorization server's metadata, below the origin that is its issuer. */
export const metadataPath = '/.well-known/oauth-authorization-server'

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The console's endpoints of the device authorization grant (RFC 8628). */
export const deviceCodePath = '/oauth/device/code'
export const tokenPath = '/oauth/token'

/**
 * RFC 8414 metadata of the console's authorization server. `issuer` is the origin that serves it, as its section 3.3 wants:
 * the console's, and the gateway's for clients that know only the API. The endpoints are the console's in both.
 */
export const authorizationServerMetadata = ({ issuer, consoleUrl }: { issuer: string; consoleUrl: string }) => ({
  issuer,
  device_authorization_endpoint: new URL(deviceCodePath, consoleUrl).href,
  token_endpoint: new URL(tokenPath, consoleUrl).href,
  grant_types_supported: [deviceCodeGrant],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['none'],
})
