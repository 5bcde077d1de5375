import { statSync } from 'node:fs'
import { join } from 'node:path'
import { root, waitForGone, waitForReady } from '../cluster'
import { namespace, release } from '../install'
import type { Installation } from '../installation'
import type { Figures, Proof } from '../report'
import { eventually } from '../shell'

/** Of /metrics, where it is not the service's own. */
const metricsPorts: Record<string, number> = { gateway: 4107, console: 4108 }
const ports = { gateway: 4100, ledger: 4101, catalog: 4102, 'media-probe': 4103, dispatcher: 4104, console: 4106, webhooks: 4109 }
/** Those that are Bun and their code alone; the probe and the simulator carry ffmpeg. */
const plain = ['gateway', 'ledger', 'catalog', 'dispatcher', 'console', 'webhooks']
const imageMbMax = 130
/** A start, and memory, depend on what else the machine does: they are figures, and a pod must only be ready at all. */
const readyMsMax = 60_000
const idleMs = 15_000

/** What an image weighs, which has a bound; how soon a new pod can serve, and what it holds when it does nothing. */
export const footprintProof: Proof<Installation> = {
  name: 'image size, start and idle memory',
  short: true,
  async prove({ cluster, tag }) {
    const figures: Figures = {}
    const faults: string[] = []
    for (const name of [...Object.keys(ports), 'simulator']) {
      const size = Number((statSync(join(root, `.local/images/${name}-${tag}.tar`)).size / 1e6).toFixed(1))
      figures[`${name}_image_mb`] = size
      if (plain.includes(name) && size > imageMbMax) faults.push(`${name}: an image of ${size} MB`)
    }
    for (const [name, port] of Object.entries(ports)) {
      for (const pod of await waitForReady(cluster, name, 1))
        await cluster.kubectl(['-n', namespace, 'delete', 'pod', pod.name, '--wait=false'])
      figures[`${name}_ready_s`] = Number((await secondsUntilReady(await newAddress(name), port, metricsPorts[name])).toFixed(2))
      await waitForGone(cluster, name, 1)
    }
    await Bun.sleep(idleMs)
    for (const [name, port] of Object.entries(ports)) {
      const [pod] = await waitForReady(cluster, name, 1)
      figures[`${name}_idle_mb`] = Number(
        ((await metric(`http://${pod?.ip}:${metricsPorts[name] ?? port}`, 'process_resident_memory_bytes')) / 1e6).toFixed(0),
      )
    }
    if (faults.length > 0) throw new Error(`${faults.join('; ')}: ${JSON.stringify(figures)}`)
    return figures

    async function newAddress(name: string): Promise<string> {
      return eventually(
        `an address of ${name}`,
        60_000,
        async () => {
          const { items } = await cluster.get<{ items: { metadata: { deletionTimestamp?: string }; status: { podIP?: string } }[] }>([
            'pods',
            '-n',
            namespace,
            '-l',
            `app.kubernetes.io/name=${name},app.kubernetes.io/instance=${release},app.kubernetes.io/component=server`,
          ])
          return items.find(pod => !pod.metadata.deletionTimestamp)?.status.podIP
        },
        50,
      )
    }
  },
}

/** By the process's own clock: its uptime when it first says that it is ready. */
const secondsUntilReady = (address: string, port: number, metricsPort = port) =>
  eventually(
    `${address} ready`,
    readyMsMax,
    async () => {
      const response = await fetch(`http://${address}:${port}/readyz`, { signal: AbortSignal.timeout(5000) })
      return response.ok && (await metric(`http://${address}:${metricsPort}`, 'process_uptime_seconds'))
    },
    20,
  )

async function metric(base: string, name: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(20_000) })).text()
  return Number(new RegExp(`^${name}(?:{[^}]*})? ([0-9.e+]+)`, 'm').exec(text)?.[1] ?? Number.NaN)
}
