import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { sampleBytes } from '../../support/client/sample-media'
import { openUpload, putUpload, readUpload } from '../../support/client/upload'
import { until } from '../../support/until'

test('an upload waits for its file and is judged when it is there', async () => {
  const { api } = await openAccount()
  const picture = await sampleBytes('lake-640x480.jpg')
  const opened = await openUpload(api, 'image/jpeg', picture)
  const { id, expires_at } = opened
  const waiting = await api.get(`/uploads/${id}`)
  expect([waiting.status, waiting.headers.get('retry-after'), JSON.parse(waiting.text)]).toEqual([
    200,
    '10',
    { id, status: 'waiting', expires_at },
  ])
  await putUpload(opened, picture)
  const judged = await until('an upload to be judged', async () => {
    const shown = await readUpload(api, id)
    return shown.status === 'waiting' ? undefined : shown
  })
  expect(judged).toEqual({ id, status: 'accepted', expires_at })
})

test('a file that is not what its type says is refused, with the code that a request would fail by', async () => {
  const { api } = await openAccount()
  const words = new TextEncoder().encode('these are words and no picture')
  const opened = await openUpload(api, 'image/png', words)
  await putUpload(opened, words)
  const judged = await until('an upload to be judged', async () => {
    const shown = await readUpload(api, opened.id)
    return shown.status === 'waiting' ? undefined : shown
  })
  expect(judged).toMatchObject({ status: 'refused', issue: { code: 'media_type_unsupported' } })
})
