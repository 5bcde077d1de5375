import { expect } from 'bun:test'
import { type Account, openAccount } from '../../../support/client/account'
import type { Answer, Body } from '../../../support/client/api'
import { ownWords, smallRequest } from '../../../support/client/request'
import { ops } from '../../../support/operator/ops'
import { type Behaviour, simulator } from '../../../support/simulator'
import { type Component, move } from '../../../support/stack'
import { until } from '../../../support/until'
import type { Prometheus } from './prometheus'

export type Fault = {
  name: string
  alert: string
  /** Alerts that the fault may raise beside it. */
  companions?: string[]
  inject(prometheus: Prometheus): Promise<Injected>
}

/** `shows`: what the runbook's first command has to print. */
export type Injected = { shows: RegExp | string; heal(): Promise<unknown> }

/** A component that does not run until it is healed; `shows` is what tells it. */
export async function stopped(component: Component, shows: Injected['shows'], meanwhile: () => Promise<unknown> = async () => {}) {
  await move(component, 'stop')
  const work = meanwhile().catch(() => {})
  const heal = async () => {
    await move(component, 'start')
    await work
  }
  return { shows, heal }
}

export type Orders = { account: Account; prompt: string; answers: Promise<Answer | undefined>[]; ended(): Promise<Body[]> }
type Terms = { behaviours?: Behaviour[]; times?: number; request?: Record<string, unknown>; account?: Account }

/** So many orders at once, whose provider behaves so, the first `times` submits or all; the videos are rendered in a moment. */
export async function order(count: number, { behaviours = [], times, request, account }: Terms = {}): Promise<Orders> {
  const buyer = account ?? (await openAccount({ credits: 100_000 }))
  const prompt = ownWords()
  if (behaviours.length > 0) await simulator.behave(prompt, [...behaviours, { name: 'instant' }], times)
  await simulator.behave(prompt, [{ name: 'instant' }])
  const answers = Array.from({ length: count }, () => buyer.api.generate(smallRequest({ prompt, ...request })).catch(() => undefined))
  const ended = async () => {
    const ids = (await Promise.all(answers)).map(answer => answer?.body.id ?? answer?.body.error?.details?.task_id)
    return Promise.all(ids.flatMap(id => (id ? [buyer.api.taskOnce(id)] : [])))
  }
  return { account: buyer, prompt, answers, ended }
}

/** The task of an order that was accepted. */
export async function accepted({ answers: [answer] }: Orders): Promise<string> {
  const { status, body } = (await answer) ?? {}
  expect(status).toBe(202)
  return String(body?.id)
}

/** Waits until the provider has all orders: one that it gets no more is no order to be asked about. */
export const submitted = ({ prompt, answers }: Orders) =>
  until('the submits', async () => (await simulator.submits(prompt)).length === answers.length)

/** Generations that wait to be released. */
export const release = async (prompt: string): Promise<void> => {
  for (const { generation_id } of await simulator.submits(prompt)) if (generation_id) await simulator.release(generation_id)
}

/** An act of an operator, repeated until it is taken. */
export const act = (...words: string[]) =>
  until(`ops ${words.join(' ')}`, async () => (await ops(...words, '--reason', 'a test of alerts', '--by', 'ada')).exitCode === 0)
