import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { ownWords } from '../../../support/client/request'
import { sampleBytes } from '../../../support/client/sample-media'
import { inputsOf, upload } from '../../../support/servers/storage'
import { simulator } from '../../../support/simulator'

const withPicture = (image_url: string) => ({ mode: 'image-to-video', prompt: ownWords(), image_url, duration: 4, resolution: '480p' })

test('an uploaded picture is the first frame of a generation in the console of its own account', async () => {
  const { accountId } = await openAccount()
  const web = consoleOf(accountId)
  const request = withPicture(await upload(accountId, await sampleBytes('lake-640x480.jpg'), 'jpg'))
  await simulator.behave(request.prompt, [{ name: 'instant' }])
  const accepted = await web.generate(request)
  expect(accepted.status).toBe(202)
  expect((await web.taskOnce(accepted.body.id)).status).toBe('completed')
  expect(await inputsOf(accepted.body.id)).toHaveLength(1)
})

test('an upload is nobody else’s, through the API too, and an absent one is said to be', async () => {
  const [{ api, accountId }, other] = await Promise.all([openAccount(), openAccount()])
  const picture = await sampleBytes('lake-640x480.jpg')
  const [own, foreign] = [await upload(accountId, picture, 'jpg'), await upload(other.accountId, picture, 'jpg')]
  const issue = { issues: [expect.objectContaining({ path: 'image_url', rule: 'public_host' })] }
  for (const url of [foreign, own.replace('uploads', 'UPLOADS'), own.replace('.internal/', '.internal:443/')]) {
    expect(expectError(await api.generate(withPicture(url)), 400, 'invalid_request')).toMatchObject(issue)
    expect(expectError(await api.estimate(withPicture(url)), 400, 'invalid_request')).toMatchObject(issue)
  }
  const web = consoleOf(accountId)
  for (const url of [foreign, own.replace('uploads', 'UPLOADS'), own.replace(accountId, `x/../${accountId}`), `${own}?a=1`])
    expect(expectError(await web.generate(withPicture(url)), 400, 'invalid_request')).toMatchObject(issue)
  expect((await web.ask('POST', '/estimate', { body: withPicture(own) })).status).toBe(200)
  expect((await api.estimate(withPicture(own))).status).toBe(200)
  const absent = withPicture(`https://uploads.filmgate.internal/${accountId}/${'a'.repeat(22)}.jpg`)
  expect(expectError(await web.generate(absent), 400, 'media_unreachable')).toMatchObject({ field: 'image_url' })
})
