import { expect, test } from 'bun:test'
import { callbackAddress } from '../../support/callback-address'

test('a callback at an address that nobody made leaves nothing', async () => {
  const made = callbackAddress('simulator')
  const others = [made.href.replace('at_', 'at_0').slice(0, -1), made.href.replace('/simulator/', '/fal/')]
  for (const href of others) expect([href, (await fetch(href, { method: 'POST', body: '{}' })).status]).toEqual([href, 404])
})
