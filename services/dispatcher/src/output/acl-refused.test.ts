import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createObjectStore } from '@filmgate/kit/object-store'
import { copyFaultOf } from './copy-fault'

/** Answers as S3 does for a bucket whose owner is enforced, the default since April 2023: no ACL is taken, all else is. */
const code = 'AccessControlListNotSupported'
const refusal = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>The bucket does not allow ACLs</Message></Error>`
const started = '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>'
const ended = '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>'
let bucket: ReturnType<typeof Bun.serve>
beforeAll(() => {
  bucket = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      await request.arrayBuffer()
      const headers = { 'content-type': 'application/xml' }
      if (request.headers.has('x-amz-acl')) return new Response(refusal, { status: 400, headers })
      if (request.method === 'PUT') return new Response(null, { headers: { etag: '"e"' } })
      return new Response(request.url.includes('uploadId') ? ended : started, { headers })
    },
  })
})
afterAll(() => bucket.stop(true))

async function* film(bytes: number) {
  yield new Uint8Array(bytes)
}

/** In one PUT, and in parts. */
test.each([1_000, 6_000_000])(
  'an output of %i bytes reaches a bucket that takes no ACL, and an ACL is named as what was refused',
  async bytes => {
    const endpoint = `http://127.0.0.1:${bucket.port}`
    const outputs = createObjectStore({ endpoint, region: 'us-east-1', bucket: 'outputs', accessKeyId: 'id', secretAccessKey: 'secret' })
    const put = (publicRead: boolean) => outputs.putStream('key.mp4', film(bytes), { contentType: 'video/mp4', publicRead })
    await put(false)
    expect(copyFaultOf(await put(true).catch(error => error))).toEqual({
      kind: 'acl_refused',
      words: 'our bucket takes no ACL: turn S3_OUTPUTS_PUBLIC_READ off',
    })
  },
)
