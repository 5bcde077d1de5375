import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { createObjectStore, type ObjectStore } from '@filmgate/kit/object-store'
import { servers } from '@filmgate/kit/testing'

const bucket = `test-${crypto.randomUUID()}`
const { endpoint, region, accessKeyId, secretAccessKey } = servers.s3
const admin = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })
const faults: string[] = []
const asked: string[] = []

/**
 * The real store behind a proxy that takes no more than Google's XML API and Cloudflare's R2 say they take: no checksum of AWS's own beside
 * the signature's, no body in signed chunks or with a trailer, no deletion of many without Content-MD5.
 * https://docs.cloud.google.com/storage/docs/xml-api/reference-headers, https://developers.cloudflare.com/r2/api/s3/api
 */
const proxy = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search, searchParams } = new URL(request.url)
    const body = new Uint8Array(await request.arrayBuffer())
    const of = (name: string) => request.headers.get(name)
    const what = `${request.method} ${searchParams.get('x-id') ?? search}`
    asked.push(what)
    const fault = (words: string) => faults.push(`${what}: ${words}`)
    for (const name of request.headers.keys()) if (/^x-amz-(checksum|sdk-checksum|trailer)/.test(name)) fault(name)
    if (/aws-chunked/.test(of('content-encoding') ?? '') || /^STREAMING/.test(of('x-amz-content-sha256') ?? '')) fault('a body in chunks')
    if (searchParams.has('delete') && of('content-md5') !== createHash('md5').update(body).digest('base64')) fault('no Content-MD5')
    if (of('x-amz-content-sha256') && of('x-amz-content-sha256') !== createHash('sha256').update(body).digest('hex'))
      fault('not the body that was signed')
    // Parts that tell of checksums are no part of what others document.
    if (request.method === 'POST' && searchParams.has('uploadId') && /<Checksum/.test(Buffer.from(body).toString()))
      fault('checksums of parts')
    const sent = request.method === 'GET' || request.method === 'HEAD' ? {} : { body }
    return fetch(`${endpoint}${pathname}${search}`, { method: request.method, headers: request.headers, ...sent, redirect: 'manual' })
  },
})

let store: ObjectStore
beforeAll(async () => {
  await admin.send(new CreateBucketCommand({ Bucket: bucket }))
  // R2 has no region but this one; the endpoint names the bucket by its path, as both take it.
  store = createObjectStore({ endpoint: `http://127.0.0.1:${proxy.port}`, region: 'auto', bucket, accessKeyId, secretAccessKey })
})
afterAll(async () => {
  await admin.send(new DeleteBucketCommand({ Bucket: bucket }))
  await proxy.stop(true)
})

test('everything that is done with a bucket is done in words that GCS and R2 take, too', async () => {
  const [small, large] = [randomBytes(10), randomBytes(12 * 1024 * 1024)]
  const contentType = 'video/mp4'
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  await store.put('a/small', small, { contentType, disposition: 'inline; filename="a.mp4"', sha256: hash(small) })
  await store.put('b/large', Readable.from([large.subarray(0, 7_000_000), large.subarray(7_000_000)]), { contentType, sha256: hash(large) })
  await store.putStream('c/stream', Readable.from([large]), { contentType })
  await store.putStream('d/short', Readable.from([small]), { contentType })

  const keys = ['a/small', 'b/large', 'c/stream', 'd/short']
  expect((await store.list('')).map(({ key }) => key)).toEqual(keys)
  expect((await store.list('', 'b/large')).map(({ key }) => key)).toEqual(['c/stream', 'd/short'])
  expect([await store.head('b/large'), await store.head('none')]).toEqual([expect.objectContaining({ bytes: large.length }), undefined])
  const bytesOf = async (key: string) => Buffer.from(await (await fetch(await store.presignGet(key, 60, 'attachment'))).arrayBuffer())
  for (const [index, sent] of [small, large, large, small].entries()) expect(Buffer.compare(await bytesOf(keys[index] ?? ''), sent)).toBe(0)

  const { url, headers } = await store.presignPut('e/put', 60, { contentType, bytes: small.length })
  expect((await fetch(url, { method: 'PUT', headers, body: small })).status).toBe(200)
  expect(await store.abandonUploads('', new Date())).toBe(0)
  await store.remove([...keys, 'e/put', 'never-there'])
  expect(await store.list('')).toEqual([])
  expect(faults).toEqual([])
  expect(asked.length).toBeGreaterThan(20)
})
