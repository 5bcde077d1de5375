import { refusedValues } from '@filmgate/tools/charts/value-sets'
import { chartSteps } from '@filmgate/tools/verify/charts'
import { judgeExamples } from '@filmgate/tools/verify/judges/judge-examples'
import type { Installation } from '../../installation'
import type { Proof } from '../../report'
import { judge, render, renderEverything } from './rendered'

/** What the charts render for every set of values is taken by the API server, and values that make no sense by nobody. */
export const chartsProof: Proof<Installation> = {
  name: 'charts judged by the API server',
  short: true,
  async prove({ cluster }) {
    for (const { name, run } of [...chartSteps, { name: 'checkov and kube-score', run: judgeExamples }]) {
      const { ok, output, skipReason } = await run()
      if (!ok || skipReason) throw new Error(`${name}: ${output}${skipReason ?? ''}`)
    }
    const { builtIn, manifests } = await renderEverything()
    const judged = await judge(cluster, builtIn, 'filmgate-charts')
    if (judged !== builtIn.length) throw new Error(`${builtIn.length} objects were rendered and ${judged} judged`)
    return { refused: await refuses(), objects: judged, manifests }
  },
}

async function refuses(): Promise<number> {
  for (const { message: words, ...set } of refusedValues) {
    const { ok, output } = await render(set)
    if (ok || !words.test(output)) throw new Error(`${set.set.join(' ')} should be refused with ${words}: ${output.slice(0, 500)}`)
  }
  return refusedValues.length
}
