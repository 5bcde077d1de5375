import { afterAll, expect, test } from 'bun:test'
import { operatorLink } from './link'

const seen: object[] = []
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    if (request.headers.get('authorization') !== 'Bearer of-this-stack') return new Response('', { status: 404 })
    seen.push({ path: new URL(request.url).pathname, ...((await request.json()) as object) })
    return Response.json({ url: 'http://console/sign-in/link?token=t' })
  },
})
afterAll(() => server.stop(true))
const url = `http://127.0.0.1:${server.port}`

test('a link is made for the local user of the first account, and says whose it is', async () => {
  const answer = await operatorLink({ url, accountId: 'acct_1', token: 'of-this-stack' })
  expect(answer).toEqual({
    person: 'dev@filmgate.localhost',
    account_id: 'acct_1',
    link: 'http://console/sign-in/link?token=t',
    works: 'once, for ten minutes',
  })
  expect(seen).toMatchObject([{ path: '/sign-in/links', email: 'dev@filmgate.localhost', account_id: 'acct_1' }])
})

test('a console that makes no links, or is not there, is a sentence', async () => {
  const refused = operatorLink({ url, accountId: 'acct_1', token: 'of-another' })
  await expect(refused).rejects.toThrow('There is no link: the console made no sign-in link: 404')
  const gone = operatorLink({ url: 'http://127.0.0.1:1', accountId: 'acct_1', token: 'of-this-stack' })
  await expect(gone).rejects.toThrow(/^There is no link: .* `bun run stack status` shows whether the console runs\.$/)
})
