import { uuidv7 } from 'uuidv7'
import { addKey } from '../../support/client/account'
import type { Api } from '../../support/client/api'
import { consoleOf } from '../../support/client/console'
import { operate } from '../../support/operator/operator'
import { until } from '../../support/until'
import { ownerLink } from '../people/sign-in-link'
import type { Newcomer } from '../people/sign-up'
import type { Wire, WireAnswer } from '../people/wire'

export type Purse = { paid: number; starter: number }
export type Owned = { accountId: string; wire: Wire; api: Api; price: number }

/** What the ledger has, which decides. */
export async function ledgerOf(accountId: string): Promise<Purse & { unfinished: number; open: number }> {
  type Shown = { account: { available: number; starter: number; unfinished: number }; open: unknown[] }
  const { account, open } = await operate<Shown>('ledger', 'GET', `/accounts/${accountId}`)
  return { paid: account.available, starter: account.starter, unfinished: account.unfinished, open: open.length }
}

export async function purseOf(accountId: string): Promise<Purse> {
  const { paid, starter } = await ledgerOf(accountId)
  return { paid, starter }
}

/** Long enough to cost more than the few credits that one of two balances lacks. */
export const videoSeconds = 3

/** As the playground's form has it. */
const small = { model: 'alpha-h3-fast', mode: 'text-to-video', duration: String(videoSeconds), resolution: '480p' }

export async function priceOf(accountId: string): Promise<number> {
  const body = { ...small, prompt: 'a video', duration: videoSeconds }
  return JSON.parse((await consoleOf(accountId).ask('POST', '/estimate', { body })).text).credits
}

/** One more account of a newcomer, who has had starter credits: it has what is asked for here, and a key whose minute is unused. */
export async function openPurse({ email, name, wire, accountId: first }: Newcomer, purse: (price: number) => Purse): Promise<Owned> {
  const price = await priceOf(first)
  const { paid, starter } = purse(price)
  const body = { name: `purse ${crypto.randomUUID()}`, credits: paid, starter_credits: starter }
  const { account_id: accountId } = await operate<{ account_id: string }>('gateway', 'POST', '/accounts', body)
  await until('its credits, also as they are shown', async () => {
    const shown = await consoleOf(accountId).account()
    return shown.available_credits === paid && shown.starter_credits === starter
  })
  await ownerLink({ accountId, email, name, accountName: 'Purse' })
  return { accountId, wire, api: await addKey(accountId), price }
}

export type AskedVideo = WireAnswer & { form: string; taskId: string | undefined }

/** Sends the form of the account's playground, as a browser without scripts does. */
export async function askForVideo(wire: Wire, accountId: string, prompt: string, form: string = uuidv7()): Promise<AskedVideo> {
  const answer = await wire.post(`/accounts/${accountId}/playground`, { ...small, prompt, form })
  const taskId = answer.status === 303 ? answer.location?.split('/').at(-1) : undefined
  return { ...answer, form, taskId }
}
