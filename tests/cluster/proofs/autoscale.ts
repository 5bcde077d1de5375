import { type Cluster, readyPods, waitForReady } from '../cluster'
import { namespace, upgrade, values } from '../install'
import { type Installation, loadKeys } from '../installation'
import { startLoad } from '../load/load'
import type { Proof } from '../report'
import { eventually } from '../shell'

const scaleUpTimeoutMs = 180_000
const scaleDownTimeoutMs = 240_000

/** Load raises the gateway's replicas; when it ends they come down. */
export const horizontalProof: Proof<Installation> = {
  name: 'HPA raises the gateway and lowers it',
  short: false,
  async prove(installation) {
    const base = values(installation.tag)
    const autoscaled = {
      ...base.gateway,
      horizontalAutoscaler: { enabled: true, minReplicas: 1, maxReplicas: 3, cpuPercent: 80, scaleDownSeconds: 15 },
      resources: { ...base.gateway.resources, requests: { ...base.gateway.resources.requests, cpu: '100m' } },
    }
    await upgrade(installation.cluster, { ...base, gateway: autoscaled })
    await waitForReady(installation.cluster, 'gateway', 1, scaleDownTimeoutMs)
    const load = startLoad(installation.target, await loadKeys(installation, 4), 60)
    const startedAt = performance.now()
    let raised = 0
    try {
      raised = await raisedAbove(installation.cluster, 'gateway', 1)
    } finally {
      await load.stop()
    }
    const stoppedAt = performance.now()
    await waitForReady(installation.cluster, 'gateway', 1, scaleDownTimeoutMs)
    const seconds = (from: number, to: number) => Number(((to - from) / 1000).toFixed(0))
    const figures = { replicas: `1 → ${raised} → 1`, up_s: seconds(startedAt, stoppedAt), down_s: seconds(stoppedAt, performance.now()) }
    await upgrade(installation.cluster, base)
    return figures
  },
}

/** A backlog of probes raises media-probe, and it comes down when the backlog is gone. */
export const kedaProof: Proof<Installation> = {
  name: 'KEDA raises media-probe and lowers it',
  short: false,
  needs: 'keda',
  async prove(installation) {
    const { cluster } = installation
    await cluster.kit(['keda'])
    await cluster.kit(['world'])
    const base = values(installation.tag)
    const keda = { enabled: true, minReplicas: 1, maxReplicas: 4, pollingSeconds: 5, scaleDownSeconds: 20, jobsPerReplica: 4 }
    // One task at a time, and a host that never answers: each holds its place until its time is up.
    const config = { FILMGATE_TASKS_MAX: 1, FILMGATE_DOWNLOAD_TIMEOUT_MS: 6_000 }
    await upgrade(cluster, { ...base, 'media-probe': { ...base['media-probe'], keda, config } })
    await waitForReady(cluster, 'media-probe', 1, scaleDownTimeoutMs)
    const keys = await loadKeys(installation, 8)
    const startedAt = performance.now()
    const asked = Array.from({ length: 40 }, (_, turn) => askForSilence(installation, keys[turn % keys.length] ?? ''))
    const raised = await raisedAbove(cluster, 'media-probe', 1)
    const up = performance.now()
    const statuses = await Promise.all(asked)
    await waitForReady(cluster, 'media-probe', 1, scaleDownTimeoutMs)
    const wrong = statuses.filter(status => status !== 400)
    if (wrong.length > 0) throw new Error(`a silent host is 400 and refunded, and ${wrong.length} of 40 answers were ${wrong.join(', ')}`)
    const figures = {
      replicas: `1 → ${raised} → 1`,
      up_s: Number(((up - startedAt) / 1000).toFixed(0)),
      down_s: Number(((performance.now() - up) / 1000).toFixed(0)),
      probes: statuses.length,
    }
    await upgrade(cluster, base)
    return figures
  },
}

/** The most that was seen, once it is more than `count`. */
const raisedAbove = (cluster: Cluster, service: string, count: number) =>
  eventually(`more than ${count} of ${service}`, scaleUpTimeoutMs, async () => {
    const { length } = await readyPods(cluster, service, namespace)
    return length > count && length
  })

/** A generation whose first frame lies on a host of the test's world that takes the connection and says nothing. */
async function askForSilence({ target }: Installation, apiKey: string): Promise<number> {
  const response = await fetch(`${target.url}/api/v1/video/generations`, {
    method: 'POST',
    headers: {
      host: target.host,
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      model: 'alpha-h3',
      mode: 'image-to-video',
      prompt: 'load of probes',
      duration: 4,
      image_url: 'https://silent.example.net/frame.png',
    }),
    signal: AbortSignal.timeout(260_000),
  })
  return response.status
}
