import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { HandedMedia } from '../providers/connector'

/** Our store, which breaks off in the middle of a picture. On a bare socket: Bun's server takes the length away from a body that it streams. */
export function brokenStore(): { media: HandedMedia; stop: () => void } {
  const server = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: {
      data(socket) {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 18\r\n\r\nnine byte')
        // The head and the first bytes are on their way by then.
        setTimeout(() => socket.end(), 200)
      },
    },
  })
  const url = `http://127.0.0.1:${server.port}/ours/inputs/vt_1/1-0.png?X-Amz-Signature=s`
  return { media: { kind: MediaKind.IMAGE, field: 'image_url', index: 0, url }, stop: () => server.stop(true) }
}
