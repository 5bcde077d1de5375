import { expect, test } from 'bun:test'
import { holdToken, NoTokenError } from './token-login'

/** A login by a clock and an issuer of the test's own. */
function login(lifeMs: number) {
  let nowMs = 1_000_000
  let issued = 0
  const issuer = { away: false }
  const held = holdToken(
    async () => {
      if (issuer.away) throw new NoTokenError('issuer.example answered 503')
      issued += 1
      return { value: `token ${issued}`, lifeMs }
    },
    () => nowMs,
  )
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { held, issuer, pass }
}

test('a token serves for half of its life, whoever asks and however many at once', async () => {
  const { held, pass } = login(60_000)
  expect(await Promise.all([held.token(), held.token(), held.token()])).toEqual(['token 1', 'token 1', 'token 1'])
  pass(29_999)
  expect(await held.token()).toBe('token 1')
  pass(1)
  expect(await held.token()).toBe('token 2')
})

test('while nobody issues tokens the one that is held serves until twelve seconds are left of it, and then the fault is told', async () => {
  const { held, issuer, pass } = login(60_000)
  expect(await held.token()).toBe('token 1')
  issuer.away = true
  pass(47_999)
  expect(await held.token()).toBe('token 1')
  pass(1)
  await expect(held.token()).rejects.toThrow('issuer.example answered 503')
  issuer.away = false
  expect(await held.token()).toBe('token 2')
})

test('a token that brokers refuse is asked for anew, and no oftener than every ten seconds', async () => {
  const { held, pass } = login(3_600_000)
  expect(await held.token()).toBe('token 1')
  held.forget()
  expect(await held.token()).toBe('token 1')
  pass(10_000)
  expect(await held.token()).toBe('token 2')
})

test('a token that would not last for a login is asked for anew at once', async () => {
  const { held, pass } = login(13_000)
  expect(await held.token()).toBe('token 1')
  pass(999)
  expect(await held.token()).toBe('token 1')
  pass(1)
  expect(await held.token()).toBe('token 2')
})
