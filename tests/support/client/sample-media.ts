import { settings } from '../settings'

/** The address of a picture, clip or tone made on demand by the stack's own HTTPS host, as in "lake-640x480.jpg" or "walk-5s.mp4". */
export const sampleMedia = (file: string) => `${settings.sampleMediaOrigin}/${file}`

/** How often the host was asked for a file, by anybody. */
export async function timesFetched(file: string): Promise<number> {
  const answer = await fetch(`${settings.sampleMediaOrigin}/asked?path=/${file}`, { tls: { rejectUnauthorized: false } })
  return (await answer.json()) as number
}

/** The file itself. */
export async function sampleBytes(file: string): Promise<Uint8Array> {
  const answer = await fetch(sampleMedia(file), { tls: { rejectUnauthorized: false } })
  return new Uint8Array(await answer.arrayBuffer())
}
