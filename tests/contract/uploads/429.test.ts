import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds } from '../../support/client/errors'
import { askUpload } from '../../support/client/upload'

test('a day of uploads has room for 1 GiB, and for more with paid credits', async () => {
  const film = { type: 'video/mp4', bytes: 50 * 1_048_576 }
  const fill = async (credits: number) => {
    const { api } = await openAccount({ credits })
    for (let taken = 0; ; taken += 1) {
      const answer = await askUpload(api, film)
      if (answer.status === 201) continue
      expectError(answer, 429, 'upload_limit')
      expect(retryAfterSeconds(answer)).toBeGreaterThan(86_000)
      return taken
    }
  }
  expect(await Promise.all([fill(1), fill(100)])).toEqual([20, 21])
})
