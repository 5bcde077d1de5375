import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { refuse } from './errors'

/** 401 unless the bearer is the simulator's one key. */
export const requireKey = (key: string) => requireBearer(key, () => refuse('unauthorized'))
