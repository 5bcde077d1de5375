import { type Html, html } from '@filmgate/kit/http/html'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { fieldText } from '../models/field-text'
import { mediaKindOf } from '../models/model'
import { type HeadUploadDeps, isUploadThere, ownUploadKey } from '../uploads/own-upload'

export type InputDeps = HeadUploadDeps & {
  /** Signs addresses for browsers. */
  uploadStore?: Pick<ObjectStore, 'presignGet'> | undefined
}
/** `upload`: its key, if it is one of the account's. `isThere`: undefined if the store doesn't say. */
export type Input = { field: string; url: string; upload: string | undefined; isThere: boolean | undefined }
type InputOwner = { accountId: string; request: Record<string, unknown> | null | undefined }

/** Each opening is signed anew. */
const viewSeconds = 300

/** The files of a task's request. */
export const findInputs = (deps: InputDeps, owner: InputOwner): Promise<Input[]> =>
  Promise.all(
    inputsOf(owner).map(async input => ({
      ...input,
      isThere: input.upload === undefined ? false : await isUploadThere(deps, input.upload),
    })),
  )

/** The URL that shows an upload of the request. Undefined for other files. */
export async function signInput({ uploadStore }: InputDeps, owner: InputOwner, index: number): Promise<string | undefined> {
  const upload = inputsOf(owner)[index]?.upload
  return upload === undefined ? undefined : uploadStore?.presignGet(upload, viewSeconds)
}

const inputsOf = ({ accountId, request }: InputOwner): Omit<Input, 'isThere'>[] =>
  Object.entries(request ?? {}).flatMap(([field, value]) => {
    const urls = mediaKindOf(field) ? [value].flat().map(String) : []
    return urls.map(url => ({ field, url, upload: ownUploadKey(url, accountId) }))
  })

/** Files at other addresses are not loaded: their hosts would learn who looks. `path`: of the task's page. */
export const inputList = (path: string, inputs: Input[]): Html =>
  html`<ul class="files inputs">${inputs.map(
    (input, index) =>
      html`<li>${thumbnail(input, viewPath(path, index))}<span class="name">${fieldText(input.field).label}<span class="sub">${source(input, viewPath(path, index))}</span></span></li>`,
  )}</ul>`

/** The page's own, so that its markup stays the same while it is refreshed. */
const viewPath = (path: string, index: number): string => `${path}/inputs/${index}`

const thumbnail = ({ field, isThere }: Input, view: string): Html | false =>
  isThere === true && mediaKindOf(field) === 'image' && html`<img src="${view}" alt="${fieldText(field).label}" loading="lazy">`

function source({ url, upload, isThere }: Input, view: string): Html {
  if (isThere) return html`<a href="${view}" target="_blank" rel="noopener">Open the upload</a>`
  if (upload !== undefined)
    return isThere === undefined ? html`The store of uploads does not answer.` : html`Uploads are deleted after a day.`
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {}
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${hostname}/…/${pathname.split('/').at(-1)}</a>`
}
