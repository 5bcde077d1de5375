import { expect, test } from 'bun:test'
import { readConfig } from './config.ts'

const variables = { FILMGATE_URL: 'https://api.example.com/api/v1', FILMGATE_API_KEY: 'sk_live_a' }

test('stdio takes the key of the environment, and no budget unless one is set', () => {
  expect(readConfig([], variables)).toEqual({
    config: {
      baseUrl: variables.FILMGATE_URL,
      apiKey: 'sk_live_a',
      httpPort: undefined,
      budgetCredits: undefined,
      videoCreditsMax: undefined,
      saveTo: undefined,
    },
  })
  const limits = { FILMGATE_MCP_BUDGET: '500', FILMGATE_MCP_MAX_PER_VIDEO: '0' }
  const read = readConfig(['--http', '0', '--save-to', '/videos'], { FILMGATE_URL: variables.FILMGATE_URL, ...limits })
  expect(read).toMatchObject({ config: { httpPort: 0, budgetCredits: 500, videoCreditsMax: 0, saveTo: '/videos' } })
})

test('every fault is named at once', () => {
  const read = readConfig(['--http', '70000'], { FILMGATE_MCP_BUDGET: '1e9', FILMGATE_MCP_MAX_PER_VIDEO: '-1' })
  expect(read).toEqual({
    faults: [
      'FILMGATE_URL must be the address of the API, which ends in /api/v1.',
      '--http needs a port from 0 to 65535.',
      'FILMGATE_MCP_BUDGET must be a whole number of credits.',
      'FILMGATE_MCP_MAX_PER_VIDEO must be a whole number of credits.',
    ],
  })
  expect(readConfig(['--colour'], variables)).toMatchObject({ faults: [expect.stringContaining('--colour')] })
})
