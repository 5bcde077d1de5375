import type { Installation } from '../installation'
import type { Proof } from '../report'
import { horizontalProof, kedaProof } from './autoscale'
import { cageProof } from './cage'
import { consoleProof } from './console/roll-and-scale'
import { drainProof } from './drain'
import { footprintProof } from './footprint'
import { installProof } from './install'
import { kafkaLoginProof } from './kafka-login'
import { killProof } from './kill'
import { loseProof } from './lose'
import { mediaProof } from './media'
import { networkProof } from './network'
import { poolProof } from './pool'
import { pricesAndRoutesProof } from './prices-and-routes'
import { chartsProof } from './render/charts'
import { customKindsProof } from './render/custom-kinds'
import { rollProof, scaleProof, shortRollProof } from './roll'
import { rollbackProof } from './rollback'
import { webhooksProof } from './webhooks/roll'

/** In the order they are proven; the policies are enforced from the last one on. */
export const proofs: Proof<Installation>[] = [
  installProof,
  mediaProof,
  cageProof,
  chartsProof,
  customKindsProof,
  footprintProof,
  shortRollProof,
  webhooksProof,
  consoleProof,
  kafkaLoginProof,
  poolProof,
  rollProof,
  scaleProof,
  killProof,
  rollbackProof,
  pricesAndRoutesProof,
  horizontalProof,
  kedaProof,
  drainProof,
  loseProof,
  networkProof,
]
