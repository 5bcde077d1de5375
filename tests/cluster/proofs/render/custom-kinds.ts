import { crdFiles } from '@filmgate/tools/modules/crd-modules'
import type { Installation } from '../../installation'
import type { Proof } from '../../report'
import { judge, renderEverything } from './rendered'

/** The same for kinds that operators add, by their published definitions. */
export const customKindsProof: Proof<Installation> = {
  name: 'kinds of operators judged by their definitions',
  short: true,
  needs: 'custom kinds',
  async prove({ cluster, go }) {
    const definitions = (await crdFiles(go)).flatMap(file => ['-f', file])
    const { custom } = await renderEverything()
    await cluster.kubectl(['apply', '--server-side', '--force-conflicts', ...definitions])
    await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=180s', ...definitions])
    const judged = await judge(cluster, custom, 'filmgate-custom-kinds')
    if (judged !== custom.length) throw new Error(`${custom.length} objects were rendered and ${judged} judged`)
    return { definitions: definitions.length / 2, objects: judged }
  },
}
