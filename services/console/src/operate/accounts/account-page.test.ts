import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { accountId } from '../testing/fake-services'
import { type OperateSystem, startOperateSystem } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())
beforeEach(() => system.services.reset())

const shown = async () => (await system.ask(`/operate/accounts/${accountId}`, 'read')).text()
const figures = (page: string) =>
  [...page.matchAll(/<h3 class="figure-name">(.*?)<\/h3><p class="figure">(.*?)<\/p>/g)].map(([, ...pair]) => pair)

test('the balances are the ledger’s, with what is owed', async () => {
  expect(figures(await shown())).toEqual([
    ['Paid', '1,250'],
    ['Starter', '30'],
    ['Owed', '70'],
    ['Unfinished tasks', '1'],
  ])
})

test('where the ledger is silent that is said, and the gateway’s copy stands there, which knows nothing of what is owed', async () => {
  system.services.answers.set(`ledger GET /accounts/${accountId}`, 'silent')
  const page = await shown()
  expect(figures(page)).toEqual([
    ['Paid', '1,200'],
    ['Starter', '30'],
  ])
  expect(page).toContain('The ledger does not respond. The balances are the gateway’s copy.')
})

test('a key stands there by its beginning, with who made it', async () => {
  const page = await shown()
  expect(page).toContain('first<span class="sub mono">sk_live_k1…</span>')
  expect(page).toContain('<span class="sub by">by ada</span>')
})
