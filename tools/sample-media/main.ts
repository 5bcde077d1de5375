import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderSample } from './render-sample'
import { contentTypeOf, readSampleName, type Sample } from './sample-name'

/**
 * The HTTPS host of sample media for a local stack: makes what its path asks for with ffmpeg and keeps it. It needs PORT,
 * SAMPLE_MEDIA_FOLDER, and in that folder certificate.pem and key.pem.
 */
const port = Number(process.env.PORT ?? 4125)
const folder = process.env.SAMPLE_MEDIA_FOLDER ?? '.local/dev/sample-media'

const usage = `Sample media, made on demand:
  /NAME.jpg /NAME.png /NAME.webp                 a picture of 1280 × 720
  /NAME-WIDTHxHEIGHT.jpg                         of another size
  /NAME-SECONDSs.mp4 /NAME-SECONDSs.mov          a clip with sound, 1280 × 720 at 30 frames a second
  /NAME-SECONDSs.mp3 /NAME-SECONDSs.wav          a tone
NAME is of letters and digits and chooses the colour and the pitch. Before the ending may stand:
  -10fps (before the seconds) frames a second    -half the first half of the file    -31mib zeros behind it up to 31 MiB
?wait_ms=3000 answers later. ?redirect_to=URL answers with a redirect. /asked?path=/NAME.jpg says how often that path was asked for.
`
/** How often each path was asked for, so that a test can tell that it was not. */
const asked = new Map<string, number>()
const waitMsMax = 30_000
/** Above `wait_ms` and ffmpeg's time on a busy machine: the runtime's own 10 s would close the connection without an answer. */
const idleTimeoutSeconds = 120

const server = Bun.serve({
  port,
  hostname: '127.0.0.1',
  idleTimeout: idleTimeoutSeconds,
  tls: { cert: readFileSync(join(folder, 'certificate.pem'), 'utf8'), key: readFileSync(join(folder, 'key.pem'), 'utf8') },
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/') return new Response(usage)
    if (pathname === '/asked') return Response.json(asked.get(searchParams.get('path') ?? '') ?? 0)
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1)
    const location = searchParams.get('redirect_to')
    if (location !== null) return new Response(null, { status: 302, headers: { location } })
    const sample = readSampleName(pathname.slice(1))
    if (!sample) return new Response(`No such sample.\n\n${usage}`, { status: 404 })
    const path = await renderSample(folder, sample)
    await Bun.sleep(Math.min(waitMsMax, Number(searchParams.get('wait_ms') ?? 0)))
    return new Response(served(Bun.file(path), sample), { headers: { 'content-type': contentTypeOf(sample.format) } })
  },
})

function served(file: Bun.BunFile, { half, bytes }: Sample): Blob {
  const part = half ? file.slice(0, Math.floor(file.size / 2)) : file
  return bytes > part.size ? new Blob([part, new Uint8Array(bytes - part.size)]) : part
}

console.log(`sample media on https://localhost:${server.port}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
