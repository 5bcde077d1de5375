import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { expectError } from '../support/client/errors'
import { ownWords } from '../support/client/request'
import { sampleMedia, timesFetched } from '../support/client/sample-media'
import { taskLike } from '../support/client/task'
import { ledgerTask } from '../support/operator/operator'
import { taskIdsOf } from '../support/servers/databases'
import { until } from '../support/until'

const testTimeoutMs = 120_000

type Bad = {
  name: string
  /** Made when the test runs: the host's address is known then. */
  media: () => { mode: string }
  code: string
  message: string
  details: { url_index: number; field: string; measured: string; limit: string }
}

const frame = (file: string) => () => ({ mode: 'image-to-video', image_url: sampleMedia(file) })
const clips = (files: string[], seconds: number[]) => () => ({
  mode: 'media-to-video',
  reference_video_urls: files.map(sampleMedia),
  reference_video_durations: seconds,
})
const inFrame = { url_index: 0, field: 'image_url' }
const inClip = (index: number) => ({ url_index: index, field: 'reference_video_urls' })

/** One of each code of the closed list, in the limits of alpha-h3. */
const bad: Bad[] = [
  {
    name: 'a redirect to a private address',
    media: frame('away.jpg?redirect_to=https://169.254.169.254/latest/meta-data'),
    code: 'media_forbidden_address',
    message: 'The URL may not be fetched: use https on port 443 of a public host',
    details: { ...inFrame, measured: 'a redirect to not a public address', limit: 'public addresses only' },
  },
  {
    name: 'a file that is not there',
    media: frame('missing.gif'),
    code: 'media_unreachable',
    message: 'The file could not be fetched',
    details: { ...inFrame, measured: 'status 404', limit: 'status 200' },
  },
  {
    name: 'a picture of 31 MiB',
    media: frame('huge-31mib.jpg'),
    code: 'media_too_large',
    message: 'The file is too large',
    details: { ...inFrame, measured: 'more than 31457280 bytes', limit: '31457280 bytes' },
  },
  {
    name: 'a clip for a picture',
    media: frame('walk-3s.mp4'),
    code: 'media_type_unsupported',
    message: 'The file is not of a supported type',
    details: { ...inFrame, measured: 'mp4', limit: 'jpeg, png, webp' },
  },
  {
    name: 'a picture too small',
    media: frame('small-200x300.jpg'),
    code: 'media_dimensions',
    message: 'The width, height or ratio is outside the limits',
    details: { ...inFrame, measured: '200 × 300 px', limit: '256–5760 px' },
  },
  {
    name: 'a clip of ten frames a second',
    media: clips(['slow-640x360-10fps-3s.mp4'], [3]),
    code: 'media_frame_rate',
    message: 'The frame rate is outside the limits',
    details: { ...inClip(0), measured: '10', limit: '23.976–60 frames a second' },
  },
  {
    name: 'a clip of one second',
    media: clips(['whole-640x360-3s.mp4', 'short-640x360-1s.mp4'], [3, 2]),
    code: 'media_duration',
    message: 'The length is outside the limits',
    details: { ...inClip(1), measured: '1 s', limit: '2–15 s' },
  },
  {
    name: 'a duration declared wrongly',
    media: clips(['five-5s.mp4', 'three-3s.mp4'], [5, 4]),
    code: 'media_duration_mismatch',
    message: 'The declared duration is not the length of the file',
    details: { ...inClip(1), measured: '3 s', limit: '4 s declared, 3 s expected' },
  },
  {
    // Each is a frame longer than its five seconds, which its declaration may leave out.
    name: 'three clips of 15.1 s in all, declared as 15',
    media: clips(['one-640x360-5.03s.mp4', 'two-640x360-5.03s.mp4', 'six-640x360-5.03s.mp4'], [5, 5, 5]),
    code: 'media_duration',
    message: 'The length is outside the limits',
    details: { ...inClip(2), measured: '15.1 s in all 3 files', limit: '15 s of all files of reference_video_urls together' },
  },
  {
    name: 'half a clip',
    media: clips(['cut-640x360-3s-half.mp4'], [3]),
    code: 'media_corrupt',
    message: 'The file is damaged or contradicts itself',
    details: { ...inClip(0), measured: 'a file that is cut short', limit: 'the whole file' },
  },
]

const placeOf = ({ field, url_index }: Bad['details']) => (field.endsWith('s') ? `${field}[${url_index}]` : field)

for (const { name, media, code, message, details } of bad)
  test(
    `${name} is 400 ${code}, says which and what, costs nothing, and its replay is the failed task`,
    async () => {
      const { api } = await openAccount({ credits: 1_000 })
      const idempotencyKey = crypto.randomUUID()
      const request = { model: 'alpha-h3', prompt: ownWords(), ...media() }
      const answer = await api.generate(request, { idempotencyKey })
      const { task_id: taskId, ...answered } = expectError(answer, 400, code)
      expect(answered).toEqual(details)
      const words = `${message}: ${placeOf(details)} measured ${details.measured}, allowed ${details.limit}.`
      expect(answer.body.error?.message).toBe(words)

      const replay = await api.generate(request, { idempotencyKey })
      expect([replay.status, replay.body.id, replay.headers.get('idempotent-replayed')]).toEqual([200, String(taskId), 'true'])
      const task = await api.taskOnce(String(taskId), ({ billing_status }) => billing_status === 'refunded')
      expect<unknown>(task).toEqual(
        taskLike({
          ...{ model: 'alpha-h3', mode: request.mode, status: 'failed', billing_status: 'refunded' },
          ...{ credits_refunded: task.credits_used, error: { code, message: words } },
        }),
      )
      expect(task.credits_used).toBeGreaterThan(0)
      expect(await api.credits()).toBe(1_000)
      expect((await ledgerTask(task.id)).entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(0)
    },
    testTimeoutMs,
  )

const fresh = () => `f${crypto.randomUUID().slice(0, 8)}.jpg`
const frameRequest = (url: string) => ({ model: 'alpha-h3', mode: 'image-to-video', prompt: ownWords(), image_url: url, duration: 4 })

test('an estimate fetches nothing, and neither does a request that is refused before its credits are reserved', async () => {
  const file = fresh()
  const { api } = await openAccount({ credits: 1_000 })
  expect((await api.estimate(frameRequest(sampleMedia(file)))).status).toBe(200)
  expectError(await api.generate({ ...frameRequest(sampleMedia(file)), max_credits: 1 }), 400, 'max_credits_exceeded')
  const { api: poor } = await openAccount({ credits: 1 })
  expectError(await poor.generate(frameRequest(sampleMedia(file))), 402, 'insufficient_credits')
  // Counted: once the same host has been asked for what came later, what came before would be there.
  expect((await api.generate(frameRequest(sampleMedia(file)))).status).toBe(202)
  expect(await timesFetched(file)).toBe(1)
})

test('the credits are reserved before the first byte of media is asked for', async () => {
  const file = fresh()
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const accepted = api.generate(frameRequest(`${sampleMedia(file)}?wait_ms=3000`))
  await until('the file to be asked for', async () => (await timesFetched(file)) === 1)
  // Of the ledger: the balance that clients read follows it by milliseconds.
  const [id = ''] = await taskIdsOf(accountId)
  const { reservation } = await ledgerTask(id)
  const { status, body } = await accepted
  expect(status).toBe(202)
  expect(reservation).toMatchObject({ state: 'reserved', credits: body.credits_used })
  expect(await timesFetched(file)).toBe(1)
})
