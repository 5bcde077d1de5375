import { expect, test } from 'bun:test'
import { createLongPollLimiter } from './long-poll-limiter'

test('the fifth that a person has held at one moment is answered at once; another person’s is held, and so is theirs when one ended', async () => {
  const hold = createLongPollLimiter()
  const ends: (() => void)[] = []
  const ask = (personId: string) =>
    hold(personId, mayWait => (mayWait ? new Promise<boolean>(end => ends.push(() => end(true))) : Promise.resolve(false)))
  const four = Array.from({ length: 4 }, () => ask('ada'))
  expect(await ask('ada')).toBe(false)
  const bob = ask('bob')
  expect(ends).toHaveLength(5)
  ends[0]?.()
  expect(await four[0]).toBe(true)
  const sixth = ask('ada')
  expect(ends).toHaveLength(6)
  for (const end of ends) end()
  expect(await Promise.all([...four, bob, sixth])).toEqual([true, true, true, true, true, true])
})

test('one that fails is held no more', async () => {
  const hold = createLongPollLimiter()
  for (let count = 0; count < 6; count++)
    expect(await hold('ada', mayWait => Promise.reject(new Error(String(mayWait)))).catch(error => error.message)).toBe('true')
})
