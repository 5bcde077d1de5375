import { type Html, html } from '@filmgate/kit/http/html'
import { formatNames, typesOf } from '@filmgate/proto/upload-formats'
import type { KindLimits, MediaKind, Mode, Property } from '../../models/model'

type View = { id: string; name: string; kind: MediaKind; mode: Mode; property: Property; value: string; secondsField: string | undefined }

const mebibyte = 1_048_576

/** A field for files: addresses, one per line, and with scripts an upload area. */
export function mediaControl({ id, name, kind, mode, property, value, secondsField }: View): Html {
  const limits = mode.media_limits?.[kind]
  const filesMax = property.type === 'array' ? (property.maxItems ?? 1) : 1
  const shared = html`id="${id}" name="${name}" aria-describedby="${id}-hint ${id}-issue" spellcheck="false" autocomplete="off"`
  const control =
    property.type === 'array'
      ? html`<textarea ${shared} rows="2" placeholder="One https:// address per line">${value}</textarea>`
      : html`<input ${shared} type="url" inputmode="url" value="${value}" placeholder="https://…">`
  if (!limits) return control
  return html`<div class="media" data-kind="${kind}" data-most="${filesMax}" data-accept="${typesOf(limits.formats).join(',')}" data-bytes="${limits.bytes_max ?? ''}"${
    secondsField !== undefined && html` data-seconds="${secondsField}"`
  }>
${control}
</div>`
}

/** The limits of a field's files as text. */
export function mediaLimitText(limits: KindLimits | undefined, filesMax: number): string {
  if (!limits) return ''
  const { formats, bytes_max, width_min, width_max, seconds_min, seconds_max } = limits
  return [
    `${filesMax > 1 ? `Up to ${filesMax}: ` : ''}${formatNames(formats)}`,
    bytes_max !== undefined && `at most ${Math.floor(bytes_max / mebibyte)} MiB${filesMax > 1 ? ' each' : ''}`,
    width_min !== undefined && width_max !== undefined && `${width_min}–${width_max} px per side`,
    seconds_min !== undefined && seconds_max !== undefined && `${seconds_min}–${seconds_max} s`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.')
}
