import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askConsole } from '../../support/client/console'
import { ownWords } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'
import type { Visitor } from '../visitor'
import { must } from './steps'

const model = 'alpha-h3-fast'
/** Long enough that a page sees it run. */
const makingMs = 6_000

export type Made = { id: string; prompt: string; credits: number }

/** Words of a video whose making takes a while. */
export async function slowPrompt(): Promise<string> {
  const prompt = `A red kite over wet fields, ${ownWords()}`
  await simulator.behave(prompt, [{ name: 'slow', delay_ms: makingMs }])
  return prompt
}

/** A picture as small as the model takes it, on this machine. */
export async function smallestPicture(): Promise<string> {
  const { text } = await askConsole('GET', '/models')
  type Card = { id: string; modes: Record<string, { media_limits?: { image?: { width_min?: number; height_min?: number } } }> }
  const card = (JSON.parse(text) as { data: Card[] }).data.find(({ id }) => id === model)
  const limits = card?.modes['image-to-video']?.media_limits?.image
  must(limits?.width_min !== undefined, `${model} says no least width of a picture`)
  const file = join(mkdtempSync(join(tmpdir(), 'filmgate-journey-')), 'kite.png')
  writeFileSync(file, await sampleBytes(`kite-${limits.width_min}x${limits.height_min ?? limits.width_min}.png`))
  return file
}

/** Fills the playground's form for a video of one second that begins and ends with a picture of the visitor's own (this model wants both), and asks for it. */
export async function makeWithPicture(visitor: Visitor): Promise<Made> {
  const prompt = await slowPrompt()
  await visitor.choose('Model', model)
  await formIsThere(visitor)
  await visitor.press('From an image')
  await visitor.see('First frame')
  await visitor.fill('Prompt', prompt)
  const picture = await smallestPicture()
  for (const field of ['image_url', 'end_image_url']) {
    const place = `.media:has(#field-${field})`
    await visitor.attach(`${place} input[type=file]`, [picture])
    const drawn = `document.querySelector('${place} .files img')?.naturalWidth > 0`
    await until(`the picture uploaded for ${field} to be shown`, () => visitor.tab.evaluate<boolean>(drawn))
  }
  await visitor.choose('Resolution', '480p')
  return ask(visitor, prompt)
}

/** The form of what was chosen is there, and its answer is not on its way any more. */
export const formIsThere = ({ tab }: Visitor): Promise<boolean> =>
  until('the form of the choice', () => tab.evaluate<boolean>("!document.getElementById('playground').hasAttribute('aria-busy')"))

async function ask(visitor: Visitor, prompt: string): Promise<Made> {
  await visitor.fill('Length', '1')
  const credits = await until('the price of one second', async () => {
    const text = await visitor.tab.evaluate<string>(
      "document.getElementById('price').ariaBusy ? '' : document.getElementById('price').innerText",
    )
    const [, price] = /^([\d,]+)\s+credits?\s+Video: 1 s/.exec(text) ?? []
    return price !== undefined && Number(price.replaceAll(',', ''))
  })
  await visitor.press('Make the video')
  await visitor.at(/\/tasks\/vt_/, 60_000)
  const [id = ''] = /vt_[0-9a-z]{26}/.exec(await visitor.path()) ?? []
  return { id, prompt, credits }
}

/** What a page that isn't loaded again shows one after the other of the tasks on it, and that they end there as done. */
export async function watchUntilDone(visitor: Visitor, ids: string[]): Promise<string[]> {
  await visitor.tab.evaluate(`(() => {
    globalThis.shown = []
    const look = () => {
      const now = [...document.querySelectorAll('[data-status]')].map(part => part.dataset.status + ' ' + (part.querySelector('progress')?.position ?? '-')).join(', ')
      if (shown.at(-1) !== now) shown.push(now)
    }
    look()
    new MutationObserver(look).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true })
  })()`)
  const ended = `[...document.querySelectorAll('[data-status]')].filter(part => part.dataset.status === 'completed').length >= ${ids.length}`
  await until('the tasks to be shown as done', () => visitor.tab.evaluate<boolean>(`typeof shown === 'undefined' || ${ended}`), 60_000)
  const shown = await visitor.tab.evaluate<string[] | undefined>("typeof shown === 'undefined' ? undefined : shown")
  must(shown !== undefined, 'the page was loaded again while it was watched')
  must(shown.length > 1, `nothing changed while it was watched: ${shown}`)
  return shown
}

/** Plays the video of a task's page, which has to have a picture and to go on. */
export async function play(visitor: Visitor): Promise<void> {
  type Player = { at: number; ready: number; width: number; error: string | null }
  const look = () =>
    visitor.tab.evaluate<Player>(`(() => {
      const { currentTime: at, readyState: ready, videoWidth: width, error } = document.querySelector('video')
      return { at, ready, width, error: error?.message ?? null }
    })()`)
  await until('the player', () => visitor.tab.evaluate<boolean>("document.querySelector('video') !== null"))
  await visitor.tab.evaluate("(async () => { const video = document.querySelector('video'); video.muted = true; await video.play() })()")
  const seen = await until('the video to go on', async () => {
    const player = await look()
    must(player.error === null, `the player says ${player.error}`)
    return player.at > 0 && player.ready >= 2 && player
  })
  must(seen.width > 0, 'the video has no picture')
}
