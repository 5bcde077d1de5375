import { settings } from '../../support/settings'

export const { origin } = new URL(settings.url)

/** One page of each kind. */
export const kinds = {
  start: '/docs',
  guide: '/docs/idempotency-and-retries',
  media: '/docs/media',
  models: '/docs/models',
  model: '/docs/models/alpha-h3',
  api: '/docs/api',
  operation: '/docs/api/createVideoGeneration',
  errors: '/docs/errors',
  objects: '/docs/objects',
  changelog: '/docs/changelog',
  'try-it': '/docs/try-it',
  missing: '/docs/nothing',
}

/** Every page, as llms.txt lists them. */
export async function allPages(): Promise<string[]> {
  const index = await (await fetch(`${origin}/llms.txt`)).text()
  const paths = [...index.matchAll(/\]\((\/docs\/[^)]+)\.md\)/g)].map(([, path = '']) => (path === '/docs/index' ? '/docs' : path))
  return paths
}
