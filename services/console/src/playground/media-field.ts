import { type Html, html } from '@filmgate/kit/http/html'
import type { KindLimits, MediaKind, Mode, Property } from '../models/model'
import { acceptOf, formatWords } from '../uploads/formats'

type Shown = { id: string; name: string; kind: MediaKind; mode: Mode; property: Property; value: string; secondsField: string | undefined }

const mebibyte = 1_048_576

/** A field that names files: addresses one a line, and with script a place to put files. */
export function mediaControl({ id, name, kind, mode, property, value, secondsField }: Shown): Html {
  const limits = mode.media_limits?.[kind]
  const most = property.type === 'array' ? (property.maxItems ?? 1) : 1
  const shared = html`id="${id}" name="${name}" aria-describedby="${id}-hint ${id}-issue" spellcheck="false" autocomplete="off"`
  const control =
    property.type === 'array'
      ? html`<textarea ${shared} rows="2" placeholder="One https:// address a line">${value}</textarea>`
      : html`<input ${shared} type="url" inputmode="url" value="${value}" placeholder="https://…">`
  if (!limits) return control
  return html`<div class="media" data-kind="${kind}" data-most="${most}" data-accept="${acceptOf(limits.formats)}" data-bytes="${limits.bytes_max ?? ''}"${
    secondsField !== undefined && html` data-seconds="${secondsField}"`
  }>
${control}
</div>`
}

/** What files a field takes, in words. */
export function limitWords(limits: KindLimits | undefined, most: number): string {
  if (!limits) return ''
  const { formats, bytes_max, width_min, width_max, seconds_min, seconds_max } = limits
  return [
    `${most > 1 ? `Up to ${most}: ` : ''}${formatWords(formats)}`,
    bytes_max !== undefined && `at most ${Math.floor(bytes_max / mebibyte)} MiB${most > 1 ? ' each' : ''}`,
    width_min !== undefined && width_max !== undefined && `${width_min}–${width_max} px a side`,
    seconds_min !== undefined && seconds_max !== undefined && `${seconds_min}–${seconds_max} s`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.')
}
