import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { openAccount } from '../../../support/client/account'
import { ownWords } from '../../../support/client/request'
import { sampleBytes } from '../../../support/client/sample-media'
import { taskLike } from '../../../support/client/task'
import { simulator } from '../../../support/simulator'
import { jsonOf, newHome } from './program'

/** The smallest video, made at once. */
async function smallVideo(): Promise<string[]> {
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  return ['generate', prompt, '-m', 'alpha-h3-fast', '--duration', '1', '--resolution', '480p']
}

const isMp4 = (path: string) => readFileSync(path).subarray(4, 8).toString() === 'ftyp'

test.concurrent('a video is made, saved and charged once; stdout has its path alone', async () => {
  const { apiKey, api } = await openAccount()
  const home = newHome(apiKey)
  const { exit, out, err } = await home.run([...(await smallVideo()), '--yes', '-o', 'boat.mp4', '--tag', 'project=spring'])
  expect([exit, out]).toEqual([0, `${home.path('boat.mp4')}\n`])
  expect(err).toContain('Price: 4 credits (1 second at 3.36). Balance: 10000 credits.')
  expect([isMp4(home.path('boat.mp4')), home.pending(), await api.credits()]).toEqual([true, [], 9_996])
  expect(jsonOf(await home.run(['tasks', 'list', '--tag', 'project=spring', '--json'])).data).toHaveLength(1)
  expect(jsonOf(await home.run(['tasks', 'list', '--tag', 'project=autumn', '--json'])).data).toEqual([])
})

test.concurrent('with --json stdout is the task and where it was saved, and never costs more than it was said to', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  const ended = await home.run([...(await smallVideo()), '--max-credits', '4', '-o', 'boat.mp4', '--json'])
  const url = expect.stringMatching(/^http/)
  expect(jsonOf(ended)).toEqual({
    ...taskLike({ status: 'completed', credits_used: 4, billing_status: 'settled', output: { video_url: url as unknown as string } }),
    saved_to: home.path('boat.mp4'),
  })
  const dear = await home.run([...(await smallVideo()), '--max-credits', '3', '--json'])
  expect([dear.exit, jsonOf(dear).error]).toEqual([
    3,
    expect.objectContaining({ code: 'max_credits_exceeded', details: { price_credits: 4, max_credits: 3 } }),
  ])
})

test.concurrent('where nobody can be asked, nothing is made without --yes or --max-credits', async () => {
  const { apiKey, api } = await openAccount()
  const home = newHome(apiKey)
  const { exit, err } = await home.run(await smallVideo())
  expect([exit, err]).toEqual([2, expect.stringContaining('Say --yes, or --max-credits 4.')])
  expect([await api.credits(), home.pending()]).toEqual([10_000, []])
})

test.concurrent('a local picture is uploaded and becomes the first frame', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  writeFileSync(home.path('lake.jpg'), await sampleBytes('lake-640x480.jpg'))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const ended = await home.run(['generate', prompt, '-m', 'alpha-h3', '--image', 'lake.jpg', '--duration', '4', '--yes', '--json'])
  expect(jsonOf(ended)).toMatchObject({ status: 'completed', mode: 'image-to-video' })
  expect((await simulator.submits(prompt)).map(({ request }) => typeof request?.first_frame_url)).toEqual(['string'])
})

test.concurrent('a local film and sound bring their own lengths', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  writeFileSync(home.path('walk.mp4'), await sampleBytes('walk-5s.mp4'))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const fields = ['-m', 'eta-3.0', '--reference-video', 'walk.mp4', '--duration', '2', '--resolution', '480p']
  const ended = await home.run(['generate', prompt, ...fields, '--yes', '--json'])
  expect(jsonOf(ended)).toMatchObject({ status: 'completed', mode: 'media-to-video' })
})

test.concurrent('--no-wait gives the id, with which `tasks wait` saves; a file that is there stays', async () => {
  const { apiKey } = await openAccount()
  const home = newHome(apiKey)
  const { out } = await home.run([...(await smallVideo()), '--yes', '--no-wait'])
  const id = out.trim()
  writeFileSync(home.path('boat.mp4'), 'mine')
  const refused = await home.run(['tasks', 'wait', id, '-o', 'boat.mp4'])
  expect([refused.exit, refused.err, readFileSync(home.path('boat.mp4'), 'utf8')]).toEqual([2, expect.stringContaining('--force'), 'mine'])
  const saved = await home.run(['tasks', 'wait', id, '-o', 'boat.mp4', '--force'])
  expect([saved.exit, isMp4(home.path('boat.mp4')), home.pending()]).toEqual([0, true, []])
})

test.concurrent('a failed video ends with 1, says why, and leaves nothing to resume', async () => {
  const { apiKey, api } = await openAccount()
  const home = newHome(apiKey)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'moderated' }, { name: 'instant' }])
  const ended = await home.run(['generate', prompt, '-m', 'alpha-h3-fast', '--duration', '1', '--yes', '--json'])
  expect([ended.exit, jsonOf(ended).error]).toEqual([1, expect.objectContaining({ code: 'output_moderated', task_id: expect.any(String) })])
  expect([home.pending(), await api.credits()]).toEqual([[], 10_000])
})
