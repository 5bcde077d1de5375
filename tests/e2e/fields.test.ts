import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import type { Api } from '../support/client/api'
import { ownWords } from '../support/client/request'
import { sampleMedia } from '../support/client/sample-media'
import { simulator } from '../support/simulator'

type Property = { type?: string; enum?: unknown[]; minimum?: number; items?: Property; pattern?: string; const?: unknown }
type Mode = { required: string[]; schema: { properties: Record<string, Property> } }
type Model = { id: string; modes: Record<string, Mode> }
type Candidate = { model: string; mode: string; own: Mode; property: Property }

/** The gateway judges it and it reaches no provider. */
const priceLimit = 'max_credits'
const isMedia = (name: string) => /_urls?$/.test(name)
const isSeconds = (name: string) => name.endsWith('_durations')

/** A file of a field's kind, and the seconds of it that the request declares. */
function mediaOf(name: string, property: Property): Record<string, unknown> {
  const file = name.includes('video') ? 'walk-3s.mp4' : name.includes('audio') ? 'tone-3s.mp3' : 'lake-640x480.jpg'
  if (property.type !== 'array') return { [name]: sampleMedia(file) }
  return { [name]: [sampleMedia(file)], ...(file.includes('-3s') && { [name.replace(/_urls$/, '_durations')]: [3] }) }
}

/** Two values of a field that takes more than one. */
function valuesOf({ type, enum: listed, minimum = 0 }: Property): unknown[] {
  if (listed) return listed.slice(0, 2)
  if (type === 'boolean') return [false, true]
  return type === 'integer' ? [minimum, minimum + 1] : ['one', 'two']
}

/** Bodies that are taken and differ in the field alone: two of its values, or one with files in it. */
async function bodiesFor(api: Api, name: string, candidates: Candidate[]): Promise<Record<string, unknown>[]> {
  for (const { model, mode, own, property } of candidates) {
    const given = own.required.filter(each => isMedia(each) && each !== name).map(each => mediaOf(each, own.schema.properties[each] ?? {}))
    const body = { model, mode, prompt: ownWords(), ...Object.assign({}, ...given) }
    const changes = isMedia(name) ? [mediaOf(name, property)] : valuesOf(property).map(value => ({ [name]: value }))
    const bodies = changes.map(change => ({ ...body, ...change }))
    const answers = await Promise.all(bodies.map(each => api.estimate(each)))
    if (changes.length > (isMedia(name) ? 0 : 1) && answers.every(({ status }) => status === 200)) return bodies
  }
  throw new Error(`no model takes two values of ${name}`)
}

const addressesOf = (values: Record<string, unknown>) =>
  Object.values(values)
    .flat()
    .filter(value => /^https?:/.test(String(value))).length

/** What the provider was asked for, without what is another in each submit. */
async function askedFor(body: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const submits = await simulator.submits(String(body.prompt))
  return submits.map(({ request = {} }) => {
    const { client_task_id: _id, callback_url: _url, ...asked } = request
    return asked
  })
}

test('every field that any model takes reaches the provider: another value is another request there, and each file is handed on', async () => {
  const { api } = await openAccount()
  const { data } = JSON.parse((await api.get('/models')).text) as { data: Model[] }
  const candidates = data.flatMap(({ id, modes }) =>
    Object.entries(modes).flatMap(([mode, own]) =>
      Object.entries(own.schema.properties).map(([name, property]) => ({ name, model: id, mode, own, property })),
    ),
  )
  const byName = Map.groupBy(
    candidates.filter(({ name, property }) => property.const === undefined && name !== priceLimit && !isSeconds(name) && name !== 'model'),
    ({ name }) => name,
  )
  const lost = await Promise.all(
    [...byName].map(async ([name, own]) => {
      // By its prompt a submit is found at all.
      if (name === 'prompt') return []
      const account = await openAccount({ credits: 50_000 })
      const bodies = await bodiesFor(account.api, name, own)
      for (const body of bodies) {
        // Dozens of renders would keep the next test's video waiting.
        await simulator.behave(String(body.prompt), [{ name: 'instant' }])
        expect([name, (await account.api.generate(body)).status]).toEqual([name, 202])
      }
      const [first = {}, second = {}] = await askedFor(bodies[0] ?? {})
      const arrived = isMedia(name) ? addressesOf(first) === addressesOf(bodies[0] ?? {}) : !Bun.deepEquals(first, second)
      return arrived ? [] : [name]
    }),
  )
  expect(lost.flat()).toEqual([])
  expect(byName.size).toBeGreaterThanOrEqual(12)
})
