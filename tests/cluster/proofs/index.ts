import type { Line } from '../line'
import type { Proof } from '../report'
import { installProof } from './install'
import { rollProof, scaleProof, shortRollProof } from './roll'

/** In the order they are proven. */
export const proofs: Proof<Line>[] = [installProof, shortRollProof, rollProof, scaleProof]
