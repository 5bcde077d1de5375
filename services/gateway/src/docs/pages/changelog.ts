import type { DocPage } from '../site/doc-page'

export const changelogPage = (text: string): DocPage => ({
  path: '/docs/changelog',
  title: 'Changelog',
  section: 'Reference',
  summary: 'What changed for clients of the API, newest first.',
  markdown: () => text,
})
