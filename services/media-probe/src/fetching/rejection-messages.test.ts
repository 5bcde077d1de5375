import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { KindLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { createByteBudget } from './byte-budget'
import { download } from './download'
import { createNetwork } from './network'

const folder = await mkdtemp(join(tmpdir(), 'refusal-words-'))
const host = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch: ({ url }) => new Response(null, { status: 302, headers: { location: new URL(url).searchParams.get('to') ?? '' } }),
})
const origin = `http://127.0.0.1:${host.port}`
afterAll(async () => {
  await host.stop(true)
  await rm(folder, { recursive: true, force: true })
})

async function refusalOf(url: string) {
  const policy = { forbiddenRanges: [], trustedOrigins: [{ origin }] }
  const deps = { policy, network: createNetwork(undefined, []), fetchLimits: {}, onBytes: () => undefined }
  const limits = create(KindLimitsSchema, { formats: ['png'] })
  const input = {
    url,
    accountId: 'a',
    path: join(folder, crypto.randomUUID()),
    limits,
    budget: createByteBudget(1_000),
    signal: new AbortController().signal,
  }
  const error = await download(deps, input).catch(error => error)
  return error instanceof Failure ? [error.reason, (error.options.details as { measured?: string }).measured] : error
}
const redirectTo = (url: string) => `${origin}/?to=${encodeURIComponent(url)}`

test.each([
  ['https://media.example.com:8443/a', 'a URL that names another port than 443'],
  ['http://media.example.com/a', 'a URL that is not https'],
  ['ftp://media.example.com/a', 'a URL that does not start with https://'],
  ['https://a:b@media.example.com/a', 'a URL that has a user or a password'],
  ['https://media.example.com/a#t=1', 'a URL that has a fragment'],
  ['https://media.example.com\\@127.0.0.1/', 'a URL that has a backslash'],
  ['https://me_dia.example/a', 'a URL that has no valid host name'],
  ['https://xn--a.xn--/', 'a URL that has no valid host name'],
  ['https://8.8.2056/', 'a URL that spells an address in another way than four decimal parts'],
])('%s is rejected with its reason', async (url, words) => {
  expect(await refusalOf(url)).toEqual(['media_forbidden_address', words])
})

test.each([
  ['https://media.example.com:8443/a', 'names another port than 443'],
  ['http://media.example.com/a', 'is not https'],
  ['ftp://media.example.com/a', 'is not https'],
  ['https://a:b@media.example.com/a', 'has a user or a password'],
  ['https://xn--a.xn--/', 'no browser can read'],
])('a redirect to %s is told as a redirect that is not followed', async (url, words) => {
  expect(await refusalOf(redirectTo(url))).toEqual(['media_unreachable', `a redirect to a URL that ${words}`])
})

test.each([
  ['https://10.0.0.1/', 'not a public address'],
  ['https://printer.local/', 'a private name'],
])('%s is rejected with its reason, directly and after a redirect', async (url, words) => {
  expect(await refusalOf(url)).toEqual(['media_forbidden_address', words])
  expect(await refusalOf(redirectTo(url))).toEqual(['media_forbidden_address', `a redirect to ${words}`])
})
