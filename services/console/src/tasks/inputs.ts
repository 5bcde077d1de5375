import { type Html, html } from '@filmgate/kit/http/html'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { uploadAt } from '@filmgate/kit/upload-url'
import { fieldText } from '../models/field-text'
import { mediaKindOf } from '../models/model'

export type InputDeps = { uploadStore?: Pick<ObjectStore, 'head' | 'presignGet'> | undefined }
/** `view`: where the browser reads an upload; undefined once it is deleted, and for other addresses. */
export type Input = { field: string; url: string; isUpload: boolean; view: string | undefined }

/** Longer than a person looks at the page. */
const viewSeconds = 3_600

/** The files of a task's request, with URLs that show those of its uploads that still exist. */
export async function findInputs({ uploadStore }: InputDeps, accountId: string, request: Record<string, unknown>): Promise<Input[]> {
  const inputs = Object.entries(request).flatMap(([field, value]) =>
    mediaKindOf(field) ? [value].flat().map(url => ({ field, url: String(url) })) : [],
  )
  return Promise.all(
    inputs.map(async input => {
      const upload = uploadAt(input.url)
      if (upload?.accountId !== accountId) return { ...input, isUpload: false, view: undefined }
      const isThere = uploadStore && (await uploadStore.head(upload.key).catch(() => undefined)) !== undefined
      return { ...input, isUpload: true, view: isThere ? await uploadStore.presignGet(upload.key, viewSeconds) : undefined }
    }),
  )
}

/** Files at other addresses are not loaded: their hosts would learn who looks. */
export const inputList = (inputs: Input[]): Html =>
  html`<ul class="files inputs">${inputs.map(input => html`<li>${thumbnail(input)}<span class="name">${fieldText(input.field).label}<span class="sub">${source(input)}</span></span></li>`)}</ul>`

const thumbnail = ({ field, view }: Input): Html | false =>
  view !== undefined && mediaKindOf(field) === 'image' && html`<img src="${view}" alt="${fieldText(field).label}" loading="lazy">`

function source({ url, isUpload, view }: Input): Html {
  if (view !== undefined) return html`<a href="${view}" target="_blank" rel="noopener">Open the upload</a>`
  if (isUpload) return html`Uploads are deleted after a day.`
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {}
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${hostname}/…/${pathname.split('/').at(-1)}</a>`
}
