import { waitForReady } from '../cluster'
import { apiHost } from '../install'
import type { Installation } from '../installation'
import type { Proof } from '../report'
import { eventually } from '../shell'

const port = 4100
/** Longer than a gateway without a proxy in front keeps a silent connection. */
const silenceMs = 40_000
const answerMsMax = 60_000

/** An ingress controller keeps connections to a gateway and ends them itself: a gateway that did might do so just as a request arrives. */
export const poolProof: Proof<Installation> = {
  name: 'a pooled connection is never ended by the gateway',
  short: false,
  async prove({ cluster }) {
    const [pod] = await waitForReady(cluster, 'gateway', 1)
    const answers: string[] = []
    let ended = false
    const socket = await Bun.connect({
      hostname: pod?.ip ?? '',
      port,
      socket: {
        data: (_, bytes) => void answers.push(bytes.toString().split('\r\n')[0] ?? ''),
        close: () => {
          ended = true
        },
      },
    })
    try {
      const ask = () => socket.write(`GET /api/v1/credits HTTP/1.1\r\nhost: ${apiHost}\r\n\r\n`)
      ask()
      await Bun.sleep(silenceMs)
      ask()
      await eventually('an answer, or the end of the connection', answerMsMax, async () => ended || answers.length === 2)
      if (ended) throw new Error(`after ${silenceMs / 1000} s of silence the connection was ended`)
      return { silence_s: silenceMs / 1000, answers: answers.join(', ') }
    } finally {
      socket.end()
    }
  },
}
