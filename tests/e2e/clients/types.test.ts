import { expect, test } from 'bun:test'
import { makeBodies } from '../../clients/types/bodies'
import { compileTypeScript } from '../../clients/types/compile-typescript'
import { openAccount } from '../../support/client/account'

const seed = Number(process.env.FILMGATE_TEST_SEED ?? Date.now())
const testTimeoutMs = 120_000

test(
  'the types of the TypeScript client take right bodies and refuse wrong ones',
  async () => {
    const { api } = await openAccount({ credits: 1 })
    const bodies = makeBodies(JSON.parse((await api.get('/models')).text), 20, seed)
    const { misjudged, refused } = await compileTypeScript(bodies)
    expect({ misjudged, refused }).toEqual({ misjudged: [], refused: bodies.wrong.length })
  },
  testTimeoutMs,
)
