import { readyPods } from '../cluster'
import { namespace } from '../install'
import type { Installation } from '../installation'
import type { Proof } from '../report'

const check = ['/usr/local/bin/bun', 'dist/check-isolation.js']

/** In a pod of the chart, beside the service that it must not reach. */
export const cageProof: Proof<Installation> = {
  name: 'a decoder reaches nothing from its cage',
  short: true,
  async prove({ cluster }) {
    const [pod] = await readyPods(cluster, 'media-probe')
    const printed = await cluster.kubectl(['-n', namespace, 'exec', pod?.name ?? '', '--', ...check])
    const [, refused, reached] = /(\d+) refused, (\d+) reached/.exec(printed) ?? []
    if (!printed.startsWith('isolation: landlock') || reached !== '0') throw new Error(printed)
    return { attempts_refused: Number(refused), attempts_reached: Number(reached) }
  },
}
