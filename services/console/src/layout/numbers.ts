import { type Html, html } from '@filmgate/kit/http/html'

const whole = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** `12,345`. */
export const number = (value: number): string => whole.format(value)

/** `+12,345` and `−12,345`. */
export const change = (value: number): string => (value > 0 ? `+${whole.format(value)}` : whole.format(value).replace('-', '−'))

/** `12,345 credits`. */
export const credits = (value: number): string => `${whole.format(value)} ${Math.abs(value) === 1 ? 'credit' : 'credits'}`

/** `23 Nov 2026, 14:05 UTC`, within a sentence. */
export const minuteText = (at: string): string => `${minute.format(new Date(at))} UTC`

/** `23 Nov 2026, 14:05 UTC`; a script shows it in local time. */
export const time = (at: string | Date): Html => {
  const moment = new Date(at)
  return html`<time datetime="${moment.toISOString()}" data-local>${minute.format(moment)} UTC</time>`
}

export const date = (at: string | Date): Html => {
  const moment = new Date(at)
  return html`<time datetime="${moment.toISOString()}">${day.format(moment)}</time>`
}

/** A number with its name and what it counts. */
export const figureCard = (name: string, value: number, note: string): Html =>
  html`<section class="card"><h2 class="figure-name">${name}</h2><p class="figure">${number(value)}</p><p class="soft">${note}</p></section>`
