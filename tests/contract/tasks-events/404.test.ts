import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { consoleOf } from '../../support/client/console'
import { expectError } from '../../support/client/errors'
import { smallRequest } from '../../support/client/request'

test('another account’s task, one of the web’s surface, an unknown one and an id of another form answer alike to the byte', async () => {
  const [owner, stranger] = await Promise.all([openAccount(), openAccount()])
  const { id } = (await owner.api.generate(smallRequest())).body
  const web = (await consoleOf(stranger.accountId).generate(smallRequest())).body
  for (const accept of ['application/json', 'text/event-stream']) {
    const ids = [id, web.id, `vt_${'a'.repeat(26)}`, 'nonsense', 'x'.repeat(120)]
    const answers = await Promise.all(ids.map(each => stranger.api.get(`/tasks/${each}/events`, { accept })))
    for (const answer of answers) expectError(answer, 404, 'task_not_found')
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  }
})
