import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderSample } from './render-sample'
import { contentTypeOf, readSampleName } from './sample-name'

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
NAME is of letters and digits and chooses the colour and the pitch.
`

const server = Bun.serve({
  port,
  hostname: '127.0.0.1',
  tls: { cert: readFileSync(join(folder, 'certificate.pem'), 'utf8'), key: readFileSync(join(folder, 'key.pem'), 'utf8') },
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/') return new Response(usage)
    const sample = readSampleName(pathname.slice(1))
    if (!sample) return new Response(`No such sample.\n\n${usage}`, { status: 404 })
    return new Response(Bun.file(await renderSample(folder, sample)), { headers: { 'content-type': contentTypeOf(sample.format) } })
  },
})
console.log(`sample media on https://localhost:${server.port}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))
