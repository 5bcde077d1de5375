import { blocks } from '../markdown/write'
import { type DocPage, linkTo } from '../site/doc-page'

const summary = 'Send a request to this host from the browser, with your own key and credits.'

export const tryItPage = (): DocPage => ({
  path: '/docs/try-it',
  title: 'Try it',
  section: 'Start',
  summary,
  markdown: () =>
    blocks(
      '# Try it',
      summary,
      '<!-- try-it -->',
      `${linkTo('Estimate', '/docs/api/estimateVideo')} costs nothing. ${linkTo('Generate a video', '/docs/api/createVideoGeneration')} spends credits of the key’s account.`,
    ),
})
