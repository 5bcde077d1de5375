import { afterEach, expect, test } from 'bun:test'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { until } from '@filmgate/kit/testing'
import { createPublishedKeys } from './published-keys'

const log = { warn() {} }
const newKey = () => generateKeyPairSync('ed25519').publicKey
const is = (key: KeyObject) => (other: KeyObject) => other.equals(key)
const setOf = (...keys: KeyObject[]) => Response.json({ keys: keys.map(key => key.export({ format: 'jwk' })) })
const [second, minute, hour] = [1_000, 60_000, 3_600_000]

const stopping: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop()
})

/** Keys behind a server that answers what `answer` says, under a clock that stands until it is moved. */
function publish(answer: (path: string) => Response | Promise<Response>) {
  let reads = 0
  let at = 1_000_000
  const server = Bun.serve({
    port: 0,
    fetch({ url }) {
      reads += 1
      return answer(new URL(url).pathname)
    },
  })
  stopping.push(() => server.stop(true))
  return {
    keys: createPublishedKeys({ url: `http://127.0.0.1:${server.port}/jwks.json`, now: () => at, log }),
    reads: () => reads,
    pass(ms: number) {
      at += ms
    },
  }
}

/** Lets a read behind a request come to its end. */
async function settled(look: () => boolean) {
  for (let tries = 0; !look() && tries < 200; tries++) await Bun.sleep(5)
  await Bun.sleep(20)
}

test('callbacks of one moment share a read, and later ones use what it gave', async () => {
  const [known, unknown] = [newKey(), newKey()]
  const { keys, reads } = publish(() => setOf(known))
  expect(await Promise.all([keys.some(is(known)), keys.some(is(known)), keys.some(is(known))])).toEqual([true, true, true])
  expect([await keys.some(is(known)), await keys.some(is(unknown)), reads()]).toEqual([true, false, 1])
})

test('a key of which nobody has heard has them read anew, twice a minute at most', async () => {
  let published = newKey()
  const { keys, reads, pass } = publish(() => setOf(published))
  expect(await keys.some(is(published))).toBe(true)
  published = newKey()
  pass(29 * second)
  expect([await keys.some(is(published)), reads()]).toEqual([false, 1])
  pass(second)
  expect([await keys.some(is(published)), reads()]).toEqual([true, 2])
  for (let forged = 0; forged < 20; forged++) expect(await keys.some(is(newKey()))).toBe(false)
  expect(reads()).toBe(2)
})

test('after an hour they are read anew behind the request, and a key that is withdrawn counts no longer', async () => {
  const withdrawn = newKey()
  let published = withdrawn
  const { keys, reads, pass } = publish(() => setOf(published))
  expect(await keys.some(is(withdrawn))).toBe(true)
  published = newKey()
  pass(hour)
  expect(await keys.some(is(withdrawn))).toBe(true)
  await until('the withdrawn key to count no longer', async () => (await keys.some(is(withdrawn))) === false)
  expect([await keys.some(is(published)), reads()]).toEqual([true, 2])
})

test('keys that can’t be read anew count for a day, and no longer', async () => {
  const known = newKey()
  let isUp = true
  const { keys, reads, pass } = publish(() => (isUp ? setOf(known) : new Response('', { status: 503 })))
  expect(await keys.some(is(known))).toBe(true)
  isUp = false
  pass(24 * hour - 1)
  expect(await keys.some(is(known))).toBe(true)
  await settled(() => reads() === 2)
  pass(minute)
  expect(await keys.some(is(known))).toBe(undefined)
  isUp = true
  pass(minute)
  expect(await keys.some(is(known))).toBe(true)
})

test('what is no set with an Ed25519 key, is too big, redirects or comes late, gives no keys', async () => {
  const known = newKey()
  const jwk = known.export({ format: 'jwk' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'jwk' })
  for (const answer of [
    () => new Response('no JSON'),
    () => Response.json([jwk]),
    () => Response.json({ keys: [] }),
    () => Response.json({ keys: [rsa, { ...jwk, crv: 'X25519' }, { ...jwk, x: 'AAAA' }, null] }),
    () => Response.json({ keys: Array.from({ length: 51 }, () => jwk) }),
    () => Response.json({ keys: [jwk], more: 'x'.repeat(65_536) }),
    (path: string) => (path === '/jwks.json' ? new Response('', { status: 302, headers: { location: '/elsewhere' } }) : setOf(known)),
  ]) {
    const { keys } = publish(answer)
    expect(await keys.some(is(known))).toBe(undefined)
  }
  const { keys } = publish(async () => {
    await Bun.sleep(10_000)
    return setOf(known)
  })
  const since = performance.now()
  expect(await keys.some(is(known))).toBe(undefined)
  expect(performance.now() - since).toBeLessThan(4_000)
})

test('other keys beside ours are passed over', async () => {
  const known = newKey()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ format: 'jwk' })
  const { keys } = publish(() => Response.json({ keys: [rsa, { ...known.export({ format: 'jwk' }), kid: 'x', use: 'sig' }] }))
  expect(await keys.some(is(known))).toBe(true)
})

test('an https address is held to the rules of any other: nothing private', async () => {
  const keys = createPublishedKeys({ url: 'https://127.0.0.1/jwks.json', now: () => 0, log })
  expect(await keys.some(() => true)).toBe(undefined)
})
