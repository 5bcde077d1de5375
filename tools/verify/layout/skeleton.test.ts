import { expect, test } from 'bun:test'
import { skeletonFaults } from './skeleton'

const sound = {
  'services/ledger/migrations/0001_ledger.sql': '',
  Dockerfile: 'RUN bun build services/ledger/src/main.ts services/ledger/src/audit.ts',
  'services/ledger/src/audit.ts': '',
  'services/ledger/src/main.ts': '',
  'services/ledger/src/migrate.ts': '',
  'services/ledger/src/app.ts': 'export function createApp() {}',
  'services/ledger/src/config.ts': 'export type Config = {}\nexport function readConfig() {}',
  'services/ledger/src/errors.ts': 'export const reasons = {}',
  'services/ledger/src/consumers.ts':
    "import { followCards } from './cards/follow-cards'\nexport function startConsumers() { bus.consume({}) }",
  'services/ledger/src/cards/follow-cards.ts': 'export const followCards = () => bus.consume({})',
  'services/ledger/src/workers.ts':
    "import { every } from '@filmgate/kit/every'\nimport { startAudits } from './audit/start-audits'\nexport function startWorkers() {}",
  'services/ledger/src/workers.test.ts': '',
  'services/ledger/src/audit/start-audits.ts': "import { planJobs } from '@filmgate/kit/plan-jobs'",
  'services/ledger/src/audit/sums.ts': 'export const whole = (list: number[]) => list.every(Number.isInteger)',
}

const faultsWith = (more: Record<string, string>, without: string[] = []) =>
  skeletonFaults(new Map(Object.entries({ ...sound, ...more }).filter(([file]) => !without.includes(file))))

test('a service with the skeleton passes, and each difference is reported with its file', () => {
  expect(faultsWith({})).toEqual([])
  const src = 'services/ledger/src/'
  expect(faultsWith({ [`${src}line.ts`]: '' })).toEqual([
    `${src}line.ts: has no place directly in src/, move it to a folder named for its noun`,
  ])
  expect(faultsWith({}, [`${src}errors.ts`])).toEqual([`${src}errors.ts: is missing`])
  expect(faultsWith({ [`${src}app.ts`]: 'export function makeApp() {}' })).toEqual([`${src}app.ts: exports no createApp`])
  expect(faultsWith({ [`${src}config.ts`]: 'export function ledgerConfig() {}' })).toEqual([
    `${src}config.ts: exports no readConfig`,
    `${src}config.ts: exports no Config`,
  ])
  expect(faultsWith({ [`${src}consumers.ts`]: "import './cards/follow-cards'" }).at(-1)).toBe(
    `${src}cards/follow-cards.ts: reads from Kafka outside consumers.ts`,
  )
  expect(faultsWith({}, ['services/ledger/migrations/0001_ledger.sql'])).toEqual([
    `${src}migrate.ts: is there exactly where the service has migrations/`,
  ])
})

test('Kafka is consumed in consumers.ts, and periodic work starts in workers.ts', () => {
  const file = 'services/ledger/src/entry/post.ts'
  expect(faultsWith({ [file]: 'export const post = () => bus.consume({})' })).toEqual([`${file}: reads from Kafka outside consumers.ts`])
  for (const [name, module] of [
    ['every', 'every'],
    ['planJobs', 'plan-jobs'],
    ['startJobWorker', 'jobs'],
  ])
    expect(faultsWith({ [file]: `import { ${name} } from '@filmgate/kit/${module}'` })).toEqual([
      `${file}: uses ${name} outside workers.ts`,
    ])
  expect(faultsWith({ [file]: "import type { every } from '@filmgate/kit/every'" })).toEqual([])
})
