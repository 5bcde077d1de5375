import { apiHost, helmTest, installBackends, installIngress, reachable, upgrade, values } from '../install'
import { auditIsClean, type Installation, makeLoadInstant, targetOf } from '../installation'
import type { Proof } from '../report'

/** From nothing to a generation completed and settled, through the ingress. */
export const installProof: Proof<Installation> = {
  name: 'install',
  short: true,
  async prove(installation) {
    const { cluster, tag, former } = installation
    const startedAt = performance.now()
    const seconds = () => Number(((performance.now() - startedAt) / 1000).toFixed(1))
    if (cluster.own) installation.ingressAddress = await installIngress(cluster)
    const ingress = seconds()
    installation.kafka = await installBackends(cluster)
    const backendsUp = seconds()
    const install = await upgrade(cluster, values(former?.tag ?? tag), former?.chart)
    installation.target = targetOf(installation.ingressAddress)
    await reachable(installation.target.url, apiHost)
    const startedTesting = seconds()
    const words = await helmTest(cluster)
    const summary = /completed, settled at (\d+) credits, (\d+) bytes/.exec(words)
    if (!summary) throw new Error(`helm test said nothing of a settled video:\n${words}`)
    await auditIsClean(installation)
    await makeLoadInstant(installation)
    return {
      ingress_s: ingress,
      backends_s: Number((backendsUp - ingress).toFixed(1)),
      helm_install_s: Number(install.toFixed(1)),
      helm_test_s: Number((seconds() - startedTesting).toFixed(1)),
      credits: Number(summary[1]),
      video_bytes: Number(summary[2]),
    }
  },
}
