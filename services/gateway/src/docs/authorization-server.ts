import { authorizationServerMetadata, metadataPath } from '@filmgate/kit/http/authorization-server'
import { Elysia } from 'elysia'

/**
 * RFC 8414 metadata of the console's authorization server, for clients that know only the API. Without a console there is
 * none (404). The issuer is the origin that it is read at, which is all that the client knows. The gateway has no setting of
 * its public origin: the host is the request's, and the scheme is the console's, because TLS may end at a proxy.
 */
export const authorizationServer = ({ consoleUrl }: { consoleUrl?: string }) => {
  const app = new Elysia({ name: 'authorization-server', normalize: false })
  if (consoleUrl === undefined) return app
  const { protocol, origin } = new URL(consoleUrl)
  return app.get(metadataPath, function getAuthorizationServer({ request, set }) {
    set.headers['cache-control'] = 'no-store'
    return authorizationServerMetadata({ issuer: `${protocol}//${new URL(request.url).host}`, consoleUrl: origin })
  })
}
