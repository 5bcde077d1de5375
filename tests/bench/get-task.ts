import { join } from 'node:path'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { throughput } from '../support/client/throughput'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { median, type Row, shown } from './support/row'

const ratioMin = 0.5
const rounds = 5
const load = { connections: 64, seconds: 2 }

/** GET /tasks/{id}, with its key, its token and its view, against a bare read of the same row by its primary key. */
export default async function measureGetTask(): Promise<Row[]> {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  // What clients ask for again and again is a task that has not ended.
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  const bare = Bun.spawn([process.execPath, join(import.meta.dir, 'support/bare-server.ts')], {
    env: { ...process.env, BARE_DATABASE_URL: settings.postgresUrl.replace(/\/[^/]*$/, '/filmgate_gateway') },
    stdout: 'pipe',
  })
  try {
    const { value: line } = await bare.stdout.getReader().read()
    const bareUrl = `http://127.0.0.1:${Buffer.from(line ?? [])
      .toString()
      .trim()}/${id}`
    const ours = () => throughput(`${settings.url}/tasks/${id}`, { ...load, headers: { authorization: `Bearer ${apiKey}` } })
    const theirs = () => throughput(bareUrl, load)
    await ours()
    await theirs()
    // By turns, so that what else the machine does falls on both.
    const pairs: [number, number][] = []
    for (let round = 0; round < rounds; round++) pairs.push([await ours(), await theirs()])
    const ratio = median(pairs.map(([our, their]) => our / their))
    const value = median(pairs.map(([our]) => our))
    return [
      { name: 'GET /tasks/{id}, of a bare primary-key read', ratio, value, unit: 'requests/s', mark: ratioMin, holds: ratio >= ratioMin },
      shown('bare Bun.serve + postgres.js', median(pairs.map(([, their]) => their)), 'requests/s'),
    ]
  } finally {
    bare.kill()
    await bare.exited
  }
}
