import type { Behaviour } from '../../support/simulator'
import type { End, Offers } from '../matrix/faults'
import { absentOrReview, completed, foundOrReview } from './ends'

/**
 * A moment at which a dispatcher is frozen. `held`: its writes of attempts are held from the order on, or once all attempts are in that state, and it
 * is frozen before one of them, which is then cut off, or written without its hearing of it. Without it, it is frozen once all are in `state`.
 */
export type Phase = {
  name: string
  behaviours: Behaviour[]
  state?: 'sending' | 'unknown' | 'accepted' | 'copying'
  held?: 'cut' | 'written'
  /** Our store hangs until then. */
  storeHangs?: boolean
  /** What it writes once it goes on is refused. */
  stale: boolean
  end: (offers: Offers) => End
}

const late: Behaviour = { name: 'accept_late', delay_ms: 1_500 }
const slow: Behaviour = { name: 'slow', delay_ms: 1_500 }
const drop: Behaviour = { name: 'accept_then_drop' }

/** Nothing can be held from outside between an attempt's write and its submit; `services/dispatcher/src/providers/fal/fal-uploads.test.ts` has a sender that froze there, while it uploaded. */
export const phases: Phase[] = [
  { name: 'before the attempt is written', behaviours: [], held: 'cut', stale: false, end: completed },
  { name: 'during the submit', behaviours: [late], state: 'sending', stale: true, end: foundOrReview },
  { name: 'accepted, not written', behaviours: [late, slow], state: 'sending', held: 'cut', stale: true, end: foundOrReview },
  { name: 'accepted, written unheard', behaviours: [late, slow], state: 'sending', held: 'written', stale: false, end: completed },
  { name: 'polling', behaviours: [slow], state: 'accepted', held: 'cut', stale: true, end: completed },
  {
    name: 'look-up that finds it',
    behaviours: [drop, { name: 'lookup_lags', delay_ms: 1_500 }, { name: 'slow', delay_ms: 3_000 }],
    state: 'unknown',
    held: 'cut',
    stale: true,
    end: foundOrReview,
  },
  {
    name: 'look-up that finds nothing',
    behaviours: [{ name: 'drop_before_accept' }],
    state: 'unknown',
    held: 'cut',
    stale: true,
    end: absentOrReview,
  },
  { name: 'in the middle of a copy', behaviours: [], state: 'copying', storeHangs: true, stale: false, end: completed },
  { name: 'copied, not written', behaviours: [], state: 'copying', storeHangs: true, held: 'cut', stale: true, end: completed },
  // The ledger settles by an event that whoever wrote it has not published.
  { name: 'settling', behaviours: [], state: 'copying', storeHangs: true, held: 'written', stale: false, end: completed },
]
