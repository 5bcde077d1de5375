import { join } from 'node:path'
import type { ReleaseFile } from '@filmgate/tools/release/summary'
import { mustRun, run } from '@filmgate/tools/stack/fetch/run'
import type { Report } from '../support/suite/report'
import type { Bench } from './bench'

type Manifest = { layers: { digest: string }[] }

/** Behind a registry that changes one byte of what a digest names, nothing is taken: neither a layer, nor a chart, nor a manifest. */
export async function proveChangedBytes(report: Report, { crane, helm, folder, host }: Bench, release: ReleaseFile): Promise<void> {
  const [image = ''] = Object.values(release.images[0]?.platforms ?? {})
  const chart = release.charts.at(-1)?.reference ?? ''
  const layerOf = async (reference: string) =>
    (JSON.parse(await mustRun('Reading', [crane, 'manifest', reference])) as Manifest).layers.at(-1)?.digest ?? ''
  const pulls = {
    image: (at: string) => [crane, 'export', image.replace(host, at), join(folder, 'pulled.tar')],
    chart: (at: string) => [helm, 'pull', `oci://${chart.replace(host, at)}`, '--plain-http', '--destination', folder],
  }
  const changes = [
    { what: 'a layer of an image', changed: await layerOf(image), pull: pulls.image },
    { what: 'the manifest of an image', changed: image.split('@')[1] ?? '', pull: pulls.image },
    { what: 'a chart', changed: await layerOf(chart), pull: pulls.chart },
    { what: 'the manifest of a chart', changed: chart.split('@')[1] ?? '', pull: pulls.chart },
  ]
  for (const { what, changed, pull } of changes) {
    const honest = await through(host, '', pull)
    report.check(`${what} comes through unchanged`, honest.code === 0, honest.output)
    const { code, output } = await through(host, changed, pull)
    report.check(`a changed byte in ${what} is refused`, code !== 0, output)
  }
}

/** Runs a command against a registry that changes the middle byte of what has this digest. */
async function through(host: string, digest: string, command: (at: string) => string[]) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const answer = await fetch(`http://${host}${pathname}${search}`, { method: request.method, headers: request.headers })
      if (digest === '' || request.method !== 'GET' || !pathname.endsWith(digest)) return answer
      const bytes = await answer.bytes()
      const middle = bytes.length >> 1
      bytes[middle] = (bytes[middle] ?? 0) ^ 1
      return new Response(bytes, { status: answer.status, headers: answer.headers })
    },
  })
  try {
    return await run(command(`127.0.0.1:${server.port}`))
  } finally {
    await server.stop(true)
  }
}
