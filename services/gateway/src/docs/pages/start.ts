import { blocks, bullets } from '../markdown/write'
import { type DocPage, linkTo } from '../site/doc-page'
import { createKey } from './create-key'

const summary = 'One HTTP API in front of many video providers, paid by credits.'

/** Where a stranger begins: a key, a first video, and where to go on. */
export const startPage = (guides: DocPage[], consoleUrl: string | undefined): DocPage => ({
  path: '/docs',
  title: 'Filmgate API',
  label: 'Quick start',
  section: 'Start',
  summary,
  markdown: () =>
    blocks(
      '# Filmgate API',
      `${summary} You send a request, wait for its task, and fetch an MP4. You are charged once for a video that you can fetch, or you get your credits back, or you are told that the outcome is not known yet.`,
      '## 1. Create a key',
      createKey(consoleUrl),
      '```sh\nexport FILMGATE_API_KEY=sk_live_…\nexport FILMGATE_URL=https://YOUR-HOST/api/v1\n```',
      'A key belongs on a server, never in a browser or an app.',
      '## 2. Make a video',
      'Choose your language. Each of these is a whole program: it asks for a video, waits for it and saves it.',
      '<!-- sample: first-video -->',
      `The video stays for 30 days. Anyone who holds its URL can fetch it: keep a copy of your own.`,
      '## 3. Go on',
      bullets([
        ...guides.map(({ title, path, summary: words }) => `${linkTo(title, path)}: ${words}`),
        `${linkTo('Models', '/docs/models')}: what each takes, its limits, and what a video costs.`,
        `${linkTo('API', '/docs/api')}: every route, with its answers and errors.`,
        `${linkTo('Errors', '/docs/errors')}: every code, and what to do.`,
        `${linkTo('Try it', '/docs/try-it')}: send a request from this page.`,
      ]),
      'For programs: [openapi.json](/openapi.json), [llms.txt](/docs/llms.txt), and each page as Markdown at its own path with `.md`.',
    ),
})
