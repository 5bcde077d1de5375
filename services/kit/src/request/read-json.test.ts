import { afterAll, expect, test } from 'bun:test'
import { Failure } from '../failure'
import { readBody, readJson } from './read-json'

const server = Bun.serve({
  port: 0,
  maxRequestBodySize: 1_073_741_824,
  async fetch(request) {
    try {
      return Response.json({ body: await readJson(request) })
    } catch (error) {
      if (!(error instanceof Failure)) return Response.json({ reason: String(error) })
      const { message, details } = error.options
      const { issues } = (details ?? {}) as { issues?: { path: string }[] }
      return Response.json({ reason: error.reason, ...(issues ? { path: issues[0]?.path } : { message }) })
    }
  },
})
afterAll(() => server.stop(true))

const post = async (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  type = 'application/json',
  headers: Record<string, string> = {},
) => (await fetch(server.url, { method: 'POST', body, headers: { 'content-type': type, ...headers } })).json()
const jsonRequest = (body: string) =>
  new Request('http://gateway', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
const stream = (parts: string[]) =>
  new ReadableStream({
    start: controller => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })

test('exactly 64 KiB is read, one byte more is too large, with a length or without', async () => {
  expect(await post(text(65_536))).toEqual({ body: 'x'.repeat(65_534) })
  expect(await post(text(65_537))).toEqual({ reason: 'body_too_large' })
  expect(await post(stream([text(65_536)]))).toEqual({ body: 'x'.repeat(65_534) })
  expect(await post(stream([text(65_536), ' ']))).toEqual({ reason: 'body_too_large' })
})
test('a body that stops coming is given up', async () => {
  const stalled = new ReadableStream({ start: controller => controller.enqueue(new TextEncoder().encode('{"a":')) })
  const reading = readBody(new Request('http://gateway', { method: 'POST', body: stalled }), 50)
  await expect(reading).rejects.toMatchObject({ reason: 'invalid_json', options: { message: 'The body did not arrive within 0.05 s.' } })
})
test('size is looked at before the type, the type before the syntax', async () => {
  expect(await post(text(70_000), 'text/plain')).toEqual({ reason: 'body_too_large' })
  expect(await post('{', 'text/plain')).toEqual({ reason: 'invalid_content_type' })
  expect(await post('{', 'application/jsonp')).toEqual({ reason: 'invalid_content_type' })
  expect(await post('{', 'application/json; charset=utf-8')).toMatchObject({ reason: 'invalid_json' })
})
test('a body that is not JSON is told why and where', async () => {
  for (const [body, message] of [
    ['', 'The body is empty.'],
    ['{"a":1,}', 'The body is not valid JSON: line 1, column 7: JSON has no trailing comma.'],
    [new Uint8Array([0x22, 0xff, 0x22]), 'The body is not UTF-8 at byte 2, which is 0xFF.'],
    [new Uint8Array([0x22, 0xe2, 0x82]), 'The body is not UTF-8 at byte 2, which is 0xE2.'],
  ] as const)
    expect(await post(body)).toEqual({ reason: 'invalid_json', message })
})
test('a body in a coding is refused by its name, whatever it holds', async () => {
  const coded = (coding: string) => post('{}', 'application/json', { 'content-encoding': coding })
  for (const [coding, shown] of [
    ['gzip', 'gzip'],
    ['identity, br', 'identity, br'],
    ['x'.repeat(60), 'x'.repeat(40)],
  ])
    expect(await coded(String(coding))).toEqual({
      reason: 'invalid_content_type',
      message: `Send the body without Content-Encoding: it is "${shown}".`,
    })
  expect(await coded('Identity')).toEqual({ body: {} })
})
test('a number that is read as infinite is named as it was written', async () => {
  const issues = [
    { path: 'a[1]', rule: 'number_range', message: 'a[1] must be a number within ±1.8e308, and is 1e400' },
    { path: 'a[2]', rule: 'number_range', message: `a[2] must be a number within ±1.8e308, and is -${'9'.repeat(39)}…` },
  ]
  const reading = readJson(jsonRequest(`{"a":[0,1e400,-${'9'.repeat(400)}]}`))
  await expect(reading).rejects.toMatchObject({ reason: 'invalid_request', options: { details: { issues } } })
  expect(await post('{"a":[1.7976931348623157e308,1e-400],"1e400":"1e400"}')).toMatchObject({ body: { a: [1.7976931348623157e308, 0] } })
})
test('a key that stands twice is refused and named, however long its name is', async () => {
  expect(await post('{"prompt":"a","prompt":"b"}')).toEqual({ reason: 'invalid_json', path: 'prompt' })
  const long = JSON.stringify('x'.repeat(30_000))
  expect(await post(`{${long}:1,${long}:2}`)).toEqual({ reason: 'invalid_json', path: `${'x'.repeat(200)}…` })
})
test('text that no row can hold is refused and named, where a string or a key has it', async () => {
  expect(await post('{"reason":"a\\u0000b"}')).toEqual({ reason: 'invalid_request', path: 'reason' })
  expect(await post('{"a":{"b":["\\ud800"]}}')).toEqual({ reason: 'invalid_request', path: 'a.b[0]' })
  expect(await post('{"\\ud800":1}')).toEqual({ reason: 'invalid_request', path: '\ufffd' })
  expect(await post('{"right":"\u202e\u200f"}')).toEqual({ body: { right: '\u202e\u200f' } })
})
