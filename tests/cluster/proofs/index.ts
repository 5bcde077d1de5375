import type { Installation } from '../installation'
import type { Proof } from '../report'
import { horizontalProof, kedaProof } from './autoscale'
import { cageProof } from './cage'
import { consoleProof } from './console/roll-and-scale'
import { drainProof } from './drain'
import { footprintProof } from './footprint'
import { installProof } from './install'
import { kafkaLoginProof } from './kafka-login'
import { killProof } from './loss/kill'
import { loseProof } from './loss/lose'
import { restoreProof } from './loss/restore'
import { mediaProof } from './media'
import { networkProof } from './network'
import { poolProof } from './pool'
import { pricesAndRoutesProof } from './prices-and-routes'
import { chartsProof } from './render/charts'
import { customKindsProof } from './render/custom-kinds'
import { rollProof, scaleProof, shortRollProof } from './roll'
import { registryProof } from './version/registry'
import { rollbackProof } from './version/rollback'
import { upgradeProof } from './version/upgrade'
import { webhooksProof } from './webhooks/roll'

/** In the order they are proven; the policies are enforced from the last one on. */
export const proofs: Proof<Installation>[] = [
  installProof,
  upgradeProof,
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
  restoreProof,
  rollbackProof,
  pricesAndRoutesProof,
  registryProof,
  horizontalProof,
  kedaProof,
  drainProof,
  loseProof,
  networkProof,
]
