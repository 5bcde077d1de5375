import { access, constants, stat } from 'node:fs/promises'
import { usageFailure } from '../terminal/failure'
import { durationOf } from './duration-of'
import type { Body } from './read-request'

/** The properties that name files, and how a person names them on the command line. */
const mediaFields: Record<string, string> = {
  image_url: '--image',
  end_image_url: '--end-image',
  reference_image_urls: '--reference-image',
  reference_video_urls: '--reference-video',
  reference_audio_urls: '--reference-audio',
}
const durationFields: Record<string, { urls: string; option: string }> = {
  reference_video_durations: { urls: 'reference_video_urls', option: '--reference-video-duration' },
  reference_audio_durations: { urls: 'reference_audio_urls', option: '--reference-audio-duration' },
}
// Its form is checked, but no request goes there: an estimate downloads nothing.
const standIn = 'https://upload.example.com/file'

export const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

/** The local paths that a body names, each once. */
export function localPaths(body: Body): string[] {
  const named = Object.keys(mediaFields).flatMap(field => body[field] ?? [])
  return [...new Set(named.filter((value): value is string => typeof value === 'string' && !isUrl(value)))]
}

/** Refuses a path that is no readable file, before anything is asked or charged. */
export async function checkFiles(body: Body): Promise<void> {
  for (const path of localPaths(body)) {
    const option = optionOf(body, path)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
    if (found === 'ENOENT' || found === 'ENOTDIR') throw usageFailure(`${option} ${path}: there is no such file.`)
    if (typeof found === 'string') throw usageFailure(`${option} ${path}: it can't be read (${found}).`)
    if (!found.isFile()) throw usageFailure(`${option} ${path}: this is no file.`)
    if (found.size === 0) throw usageFailure(`${option} ${path}: the file is empty.`)
    await access(path, constants.R_OK).catch(() => {
      throw usageFailure(`${option} ${path}: you may not read it.`)
    })
  }
}

/** The body with the lengths of reference videos and sounds, read from the local files. Of a URL they must be told. */
export async function withDurations(body: Body): Promise<Body> {
  const found: Body = {}
  for (const [field, { urls, option }] of Object.entries(durationFields)) {
    const references = body[urls]
    if (body[field] !== undefined || !Array.isArray(references)) continue
    found[field] = await Promise.all(references.map(reference => secondsOf(String(reference), option)))
  }
  return { ...body, ...found }
}

async function secondsOf(reference: string, option: string): Promise<number> {
  const seconds = isUrl(reference) ? undefined : await durationOf(reference)
  if (seconds !== undefined) return Math.ceil(seconds)
  throw usageFailure(`How long is ${reference}?`, `Say it in seconds, rounded up, by ${option}: once for each, in their order.`)
}

/** The body as an estimate takes it: with a URL in place of each path. */
export const withStandIns = (body: Body) => mapPaths(body, () => standIn)

/** The body with each path in place of its upload's URL. `upload` is called once a path. */
export async function withUploads(body: Body, upload: (path: string) => Promise<string>): Promise<Body> {
  const urls = new Map<string, string>()
  for (const path of localPaths(body)) urls.set(path, await upload(path))
  return mapPaths(body, path => urls.get(path) ?? path)
}

function mapPaths(body: Body, urlOf: (path: string) => string): Body {
  const mapped = (value: unknown) => (typeof value === 'string' && !isUrl(value) ? urlOf(value) : value)
  const entries = Object.entries(body).map(([name, value]) => {
    if (!(name in mediaFields)) return [name, value]
    return [name, Array.isArray(value) ? value.map(mapped) : mapped(value)]
  })
  return Object.fromEntries(entries)
}

const optionOf = (body: Body, path: string) =>
  Object.entries(mediaFields).find(([field]) => [body[field]].flat().includes(path))?.[1] ?? 'The file'
