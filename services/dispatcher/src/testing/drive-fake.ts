import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ownRoutes } from '../config'
import { ProviderTrouble } from '../providers/call'
import type { Connector, HandedMedia, PollAnswer, Submission } from '../providers/connector'
import { readRoutes } from '../routing/read-routes'
import { createRouting } from '../routing/routing'
import { newAttemptId } from './attempt-id'
import type { Access, Fake } from './fakes'
import { orangeSquare } from './orange-square'
import type { OwnProcess } from './own-process'
import { type Behaviour, behave, behaveOnce, simulatorKey, startSimulator } from './test-system'

export const { signal } = new AbortController()

/** A simulator of a test file's own, and our store beside it, which has one picture. */
export async function startFakes() {
  const dataDir = mkdtempSync(join(tmpdir(), 'filmgate-fakes-test-'))
  const simulator: OwnProcess = await startSimulator(dataDir)
  const store = Bun.serve({ port: 0, fetch: () => new Response(orangeSquare, { headers: { 'content-type': 'image/png' } }) })
  return {
    url: simulator.url,
    pictureUrl: (name: string) => `http://127.0.0.1:${store.port}/${name}.png`,
    connect: (fake: Fake, access: Partial<Access> = {}) =>
      fake.connect({ url: simulator.url + fake.path, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000, ...access }),
    async stop() {
      await simulator.kill('SIGKILL')
      await store.stop(true)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const defaultRoutes = readRoutes([ownRoutes])

/** An order as the first default route that takes it says it. */
export function submission(provider: Connector, order: Order, media: HandedMedia[] = [], file = defaultRoutes): Submission {
  const [route] = createRouting(file, [provider]).routesOf(order)
  if (!route)
    throw new Error(`${provider.provider} has no route for ${JSON.stringify({ ...order, credits: null, seed: String(order.seed) })}`)
  return { attemptId: newAttemptId(), providerModel: route.providerModel, mapping: route.mapping, order, media, callbackUrl: undefined }
}

export type Driver = ReturnType<typeof drive>

/** Submits orders of a fake's own by a connector, and polls them. */
export function drive(simulatorUrl: string, { order }: Fake, provider: Connector) {
  const submissionOf = (prompt: string) => submission(provider, create(OrderSchema, { ...order, prompt }))

  async function submitAs(behaveAs: typeof behave, behaviours: Behaviour[]) {
    const prompt = `prompt ${crypto.randomUUID()}`
    await behaveAs(simulatorUrl, prompt, ...behaviours)
    const sent = submissionOf(prompt)
    return { prompt, sent, outcome: await provider.submit(sent, signal) }
  }

  const pollOf = ({ attemptId, providerModel }: Submission, providerTaskId: string, echoed: boolean) => {
    const polled = { attemptId, providerTaskId, providerModel, echoed }
    return { polled, poll: async () => (await provider.poll([polled], signal))[0] }
  }

  return {
    provider,
    submissionOf,
    /** Submits an order that the simulator treats so. */
    submitWith: (...behaviours: Behaviour[]) => submitAs(behave, behaviours),
    /** As above; when it is sent again it meets none of these. */
    submitOnceWith: (...behaviours: Behaviour[]) => submitAs(behaveOnce, behaviours),
    /** Has an order accepted. */
    async acceptWith(...behaviours: Behaviour[]) {
      const { sent, outcome } = await submitAs(behave, behaviours)
      if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
      return { sent, ...pollOf(sent, outcome.providerTaskId, outcome.echoed) }
    },
    pollOf,
  }
}

/** Asks until there is an answer that isn't `running`: trouble is asked about again. */
export async function endOf(poll: () => Promise<PollAnswer | undefined>): Promise<PollAnswer> {
  for (;;) {
    const answer = await answerOf(poll)
    if (answer && answer.status !== 'running') return answer
    await Bun.sleep(20)
  }
}

/** The id that a look-up by our own finds at last. */
export async function foundBy(provider: Connector, attemptId: string): Promise<string> {
  for (;;) {
    const found = await answerOf(async () => provider.lookUp?.(attemptId, signal))
    if (found) return found
    await Bun.sleep(20)
  }
}

const answerOf = <T>(ask: () => Promise<T>): Promise<T | undefined> =>
  ask().catch((error: unknown) => {
    if (error instanceof ProviderTrouble) return undefined
    throw error
  })
