import type { Api } from './api'

export type OpenedUpload = { id: string; put_url: string; put_headers: Record<string, string>; url: string; expires_at: string }
export type ShownUpload = { id: string; status: string; issue?: { code: string; message: string }; expires_at: string }

export const askUpload = (api: Api, body: unknown) =>
  api.send('POST', '/uploads', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** A signed PUT for these bytes, which are not there yet. */
export async function openUpload(api: Api, type: string, bytes: Uint8Array): Promise<OpenedUpload> {
  const { status, text } = await askUpload(api, { type, bytes: bytes.length })
  if (status !== 201) throw new Error(`no upload: ${status} ${text}`)
  return JSON.parse(text)
}

/** The status of the store's answer. Bun's fetch sends the length by itself. */
export async function putUpload({ put_url, put_headers }: OpenedUpload, bytes: Uint8Array, headers = put_headers): Promise<number> {
  const { status } = await fetch(put_url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  return status
}

/** Uploads these bytes as a client does. */
export async function uploadByApi(api: Api, type: string, bytes: Uint8Array): Promise<OpenedUpload> {
  const opened = await openUpload(api, type, bytes)
  const status = await putUpload(opened, bytes)
  if (status !== 200) throw new Error(`the store took no upload: ${status}`)
  return opened
}

export const readUpload = async (api: Api, id: string): Promise<ShownUpload> => JSON.parse((await api.get(`/uploads/${id}`)).text)
