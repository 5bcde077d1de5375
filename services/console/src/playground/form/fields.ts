import { type Html, html } from '@filmgate/kit/http/html'
import { number } from '../../layout/numbers'
import { fieldText, rareFields } from '../../models/field-text'
import { lengthMax, type Mode, type Model, mediaKindOf, type Property, secondsFieldOf } from '../../models/model'
import type { Values } from './build-request'
import { mediaControl, mediaLimitText } from './media-field'

/** Error messages by field name. */
export type Issues = Record<string, string>
type View = { model: Model; mode: Mode; values: Values; issues: Issues }

const media = (name: string): boolean => mediaKindOf(name) !== undefined || /_durations$/.test(name)

/** The fields of a mode: prompt, files, settings, and the rarely used ones at the end. */
export function fields(view: View): Html {
  const names = Object.entries(view.mode.schema.properties).flatMap(([name, { const: fixed }]) => (fixed === undefined ? [name] : []))
  const rare = names.filter(name => rareFields.includes(name))
  const files = names.filter(media)
  const settings = names.filter(name => name !== 'prompt' && !rare.includes(name) && !files.includes(name))
  const open = rare.some(name => view.issues[name] !== undefined || (view.values[name] ?? '') !== '')
  return html`${names.includes('prompt') && field('prompt', view)}
${files.map(name => field(name, view))}
<div class="settings">${settings.map(name => field(name, view))}</div>
${rare.length > 0 && html`<details class="rare"${open && html` open`}><summary>More settings</summary><div class="settings">${rare.map(name => field(name, view))}</div></details>`}`
}

function field(name: string, view: View): Html {
  const { mode, values, issues } = view
  const property = mode.schema.properties[name] ?? {}
  const { label } = fieldText(name)
  const id = `field-${name}`
  const value = values[name] ?? ''
  const issue = html`<p class="issue" id="${id}-issue"${issues[name] === undefined && html` hidden`}>${issues[name]}</p>`
  const hint = html`<p class="hint" id="${id}-hint">${hintOf(name, view)}</p>`
  if (property.type === 'boolean')
    return html`<div class="field"><label class="check"><input type="checkbox" name="${name}" id="${id}" value="true"${
      value === 'true' && html` checked`
    } aria-describedby="${id}-hint ${id}-issue">${label}</label>${hint}${issue}</div>`
  const need = mode.required.includes(name) && html` <span class="need">required</span>`
  const seconds = /_durations$/.test(name)
  return html`<div class="field${name === 'prompt' && ' wide'}${seconds && ' seconds'}"><label for="${id}">${label}${need}</label>
${mediaKindOf(name) && hint}${control(id, name, property, value, view)}
${!mediaKindOf(name) && hint}${issue}</div>`
}

function control(id: string, name: string, property: Property, value: string, { model, mode, issues }: View): Html {
  const kind = mediaKindOf(name)
  if (kind) return mediaControl({ id, name, kind, mode, property, value, secondsField: secondsFieldOf(mode, name) })
  const shared = html`id="${id}" name="${name}" aria-describedby="${id}-hint ${id}-issue"${issues[name] !== undefined && html` aria-invalid="true"`}`
  const needed = mode.required.includes(name) && html` required`
  if (name === 'prompt')
    return html`<textarea ${shared}${needed} rows="5" data-most="${lengthMax(model, name) ?? ''}" placeholder="A paper boat drifts down a rainy street at dusk, camera low and close, soft light">${value}</textarea>`
  if (property.enum) {
    const chosen = value || String(property.default ?? '')
    return html`<select ${shared}${needed}>${!mode.required.includes(name) && property.default === undefined && html`<option value="">Model default</option>`}${property.enum.map(
      each => html`<option value="${each}"${String(each) === chosen && html` selected`}>${each}${name === 'duration' && ' s'}</option>`,
    )}</select>`
  }
  if (property.type === 'integer')
    return html`<input ${shared}${needed} type="number" inputmode="numeric" step="1"${bound('min', property.minimum)}${bound('max', property.maximum)} value="${value || String(property.default ?? '')}">`
  return html`<input ${shared} type="text" value="${value}">`
}

/** A bound that nobody reaches is not shown. */
const bound = (side: 'min' | 'max', value: number | undefined) => value !== undefined && html` ${side}="${value}"`

function hintOf(name: string, { mode, model }: View): Html {
  const { hint = '' } = fieldText(name)
  const property = mode.schema.properties[name] ?? {}
  const { minimum, maximum, default: fallback } = property
  const kind = mediaKindOf(name)
  const most = property.type === 'array' ? (property.maxItems ?? 1) : 1
  const parts = [hint]
  if (kind) parts.push(mediaLimitText(mode.media_limits?.[kind], most))
  if (property.type === 'integer' && !property.enum && minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    parts.push(
      `${number(minimum)}–${number(maximum)}${fallback === undefined ? '' : `, default ${fallback}${name === 'duration' ? ' s' : ''}`}.`,
    )
  if (property.type === 'array' && !kind && property.items?.minimum !== undefined)
    parts.push(`Each ${property.items.minimum}–${property.items.maximum}.`)
  const limit = lengthMax(model, name)
  const count =
    limit !== undefined &&
    html`<span class="count"${name === 'prompt' && html` data-count="field-prompt"`}>up to ${number(limit)} characters</span>`
  return html`<span>${parts.filter(Boolean).join(' ')}</span>${count}`
}
