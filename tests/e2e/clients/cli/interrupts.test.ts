import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openAccount } from '../../../support/client/account'
import { ownWords } from '../../../support/client/request'
import { sampleBytes } from '../../../support/client/sample-media'
import { simulator } from '../../../support/simulator'
import { type Intercept, isCreation, never, openFront } from './front'
import { type Home, listenTo, newHome } from './program'

type Account = Awaited<ReturnType<typeof openAccount>>

async function newCase(behaviours = [{ name: 'instant' }]) {
  const account = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, behaviours)
  const words = ['generate', prompt, '-m', 'alpha-h3-fast', '--duration', '1', '--resolution', '480p', '--yes', '-o', 'boat.mp4']
  return { account, prompt, words, home: newHome(account.apiKey) }
}

const tasksOf = async ({ api }: Account) => JSON.parse((await api.get('/tasks')).text).data as { id: string }[]

/** One video, charged once, on the disk, with nothing left to resume. */
async function expectOneVideo({ account, prompt, home }: { account: Account; prompt: string; home: Home }): Promise<void> {
  expect([(await tasksOf(account)).length, await account.api.credits(), (await simulator.submits(prompt)).length]).toEqual([1, 9_996, 1])
  expect([readFileSync(home.path('boat.mp4')).subarray(4, 8).toString(), home.pending()]).toEqual(['ftyp', []])
}

const partsIn = (home: Home) => readdirSync(home.folder).filter(name => /mp4|part|filmgate/.test(name))

/** Only the first creation meets `intercept`; what comes later goes on to the gateway. */
function firstCreation(intercept: (forward: () => Promise<Response>) => Promise<Response>): Intercept {
  let met = false
  return (request, forward) => {
    if (met || !isCreation(request)) return undefined
    met = true
    return intercept(forward)
  }
}

const kills: [moment: string, lose: (forward: () => Promise<Response>) => Promise<unknown>][] = [
  ['before the POST arrives', async () => {}],
  ['before its answer arrives', forward => forward()],
]
for (const [moment, lose] of kills)
  test.concurrent(`kill -9 ${moment}: the next call says so, and --resume makes one video, charged once`, async () => {
    const made = await newCase()
    const { home, words } = made
    let kill = () => {}
    using front = openFront(firstCreation(forward => lose(forward).then(kill).then(never)))
    const child = home.start(words, { url: front.url })
    kill = () => child.kill('SIGKILL')
    expect(await child.exited).toBe(137)
    expect(home.pending()).toHaveLength(1)
    const next = await home.run(['generate', 'another', '-m', 'alpha-h3', '--duration', '4'], { url: front.url })
    expect(next.err).toContain('Go on with it: filmgate generate --resume.')
    const { apiKey } = await openAccount()
    for (const options of [{ url: undefined }, { url: front.url, environment: { FILMGATE_API_KEY: apiKey } }]) {
      const { exit, err } = await home.run(['generate', '--resume'], options)
      expect([exit, err]).toEqual([1, expect.stringContaining('Left alone, since another key or URL made it')])
    }
    const { exit, err } = await home.run(['generate', '--resume'], { url: front.url })
    expect([exit, err]).toEqual([0, expect.stringContaining('resuming')])
    await expectOneVideo(made)
    expect((await home.run(['generate', '--resume'], { url: front.url })).err).toContain('There is nothing to resume.')
  })

test.concurrent('kill -9 while the video is made: --resume saves it', async () => {
  const made = await newCase([{ name: 'instant' }])
  const { home, words } = made
  let open = false
  using front = openFront(request => (!open && request.url.includes('/events') ? never() : undefined))
  const child = home.start(words, { url: front.url })
  await listenTo(child.stderr).until('task vt_')
  child.kill('SIGKILL')
  await child.exited
  open = true
  expect((await home.run(['generate', '--resume'], { url: front.url })).exit).toBe(0)
  await expectOneVideo(made)
})

test.concurrent('Ctrl-C while the video is made: 130, the task goes on, and the words that it says save it', async () => {
  const made = await newCase()
  const { home, words } = made
  let open = false
  using front = openFront(request => (!open && request.url.includes('/events') ? never() : undefined))
  const child = home.start([...words, '--json'], { url: front.url })
  const stderr = listenTo(child.stderr)
  const output = await stderr.until('task vt_')
  const id = /task (vt_\w+)/.exec(output)?.[1] ?? ''
  child.kill('SIGINT')
  const [exit, out, err] = await Promise.all([child.exited, child.stdout.text(), stderr.all])
  expect([exit, JSON.parse(out).error]).toEqual([130, expect.objectContaining({ code: 'interrupted', task_id: id })])
  open = true
  const [, goOn = ''] = /Go on with: filmgate (.*)/.exec(err) ?? []
  expect(goOn).toBe(`tasks wait ${id} -o ${home.path('boat.mp4')}`)
  expect((await home.run(goOn.split(' '), { url: front.url })).exit).toBe(0)
  await expectOneVideo(made)
})

test.concurrent('Ctrl-C while the task is created: 130, and --resume is charged once', async () => {
  const made = await newCase()
  const { home, words } = made
  let arrived = () => {}
  const creation = new Promise<void>(resolve => {
    arrived = resolve
  })
  using front = openFront(firstCreation(forward => forward().then(arrived).then(never)))
  const child = home.start(words, { url: front.url })
  await creation
  child.kill('SIGINT')
  const [exit, err] = await Promise.all([child.exited, child.stderr.text()])
  expect([exit, err, home.pending().length]).toEqual([130, expect.stringContaining('filmgate generate --resume'), 1])
  expect((await home.run(['generate', '--resume'], { url: front.url })).exit).toBe(0)
  await expectOneVideo(made)
})

test.concurrent('Ctrl-C while a file is uploaded: 130, and nothing is made', async () => {
  const { account, home } = await newCase()
  writeFileSync(home.path('lake.jpg'), await sampleBytes('lake-640x480.jpg'))
  using front = openFront(request => (request.url.endsWith('/uploads') ? never() : undefined))
  const child = home.start(['generate', 'A lake', '-m', 'alpha-h3', '--image', 'lake.jpg', '--duration', '4', '--yes'], { url: front.url })
  const stderr = listenTo(child.stderr)
  await stderr.until('uploading lake.jpg')
  child.kill('SIGINT')
  const [exit, err] = await Promise.all([child.exited, stderr.all])
  expect([exit, err, home.pending()]).toEqual([130, expect.stringContaining('Nothing was made or charged.'), []])
  expect(await tasksOf(account)).toEqual([])
})

test.concurrent('Ctrl-C while the video is saved: 130, and no part of it is left', async () => {
  const made = await newCase()
  const { home, words } = made
  let saving = () => {}
  const asked = new Promise<void>(resolve => {
    saving = resolve
  })
  const body = new ReadableStream({
    start: stream => stream.enqueue(new Uint8Array(4_096)),
    pull: () => new Promise<void>(() => saving()),
  })
  using front = openFront((request, forward) => {
    if (request.url.endsWith('/half.mp4')) return Promise.resolve(new Response(body, { headers: { 'content-length': '100000' } }))
    if (!/\/tasks\/vt_\w+$/.test(request.url)) return undefined
    return forward().then(async answer => {
      const text = await answer.text()
      const url = new URL('/half.mp4', request.url)
      return new Response(text.replace(/"video_url":"[^"]*"/, `"video_url":"${url}"`), answer)
    })
  })
  const child = home.start(words, { url: front.url })
  await asked
  child.kill('SIGINT')
  const [exit, err] = await Promise.all([child.exited, child.stderr.text()])
  expect([exit, err]).toEqual([130, expect.stringContaining('tasks wait')])
  expect(partsIn(home)).toEqual([])
  const id = /tasks wait (vt_\w+)/.exec(err)?.[1] ?? ''
  expect((await home.run(['tasks', 'wait', id, '-o', 'boat.mp4'])).exit).toBe(0)
  await expectOneVideo(made)
})

test.concurrent('--forget forgets, and says that tasks go on', async () => {
  const { home, words } = await newCase()
  let kill = () => {}
  using front = openFront(
    firstCreation(() =>
      Promise.resolve()
        .then(() => kill())
        .then(never),
    ),
  )
  const child = home.start(words, { url: front.url })
  kill = () => child.kill('SIGKILL')
  await child.exited
  expect(await home.run(['generate', '--forget', '--json'])).toMatchObject({ exit: 0, out: '{"forgotten":1}\n' })
  expect(home.pending()).toEqual([])
})
