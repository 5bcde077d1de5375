import { apiHost, helmTest, installBackends, installIngress, reachable, upgrade, values } from '../install'
import { auditIsClean, type Line, makeLoadInstant, targetOf } from '../line'
import type { Proof } from '../report'

/** From nothing to a generation completed and settled, through the ingress. */
export const installProof: Proof<Line> = {
  name: 'install',
  short: true,
  async prove(line) {
    const { cluster, tag } = line
    const startedAt = performance.now()
    const seconds = () => Number(((performance.now() - startedAt) / 1000).toFixed(1))
    if (cluster.own) line.ingressAddress = await installIngress(cluster)
    const ingress = seconds()
    line.kafka = await installBackends(cluster)
    const backendsUp = seconds()
    const install = await upgrade(cluster, values(tag))
    line.target = targetOf(line.ingressAddress)
    await reachable(line.target.url, apiHost)
    const startedTesting = seconds()
    const words = await helmTest(cluster)
    const said = /completed, settled at (\d+) credits, (\d+) bytes/.exec(words)
    if (!said) throw new Error(`helm test said nothing of a settled video:\n${words}`)
    await auditIsClean(line)
    await makeLoadInstant(line)
    return {
      ingress_s: ingress,
      backends_s: Number((backendsUp - ingress).toFixed(1)),
      helm_install_s: Number(install.toFixed(1)),
      helm_test_s: Number((seconds() - startedTesting).toFixed(1)),
      credits: Number(said[1]),
      video_bytes: Number(said[2]),
    }
  },
}
