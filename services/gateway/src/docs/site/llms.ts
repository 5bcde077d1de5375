import { blocks, bullets } from '../markdown/write'
import { twinOf } from './directives'
import { type DocPage, linkTo, sections } from './doc-page'
import type { Site } from './site'

/** The index for language models, as llmstxt.org describes it: a title, a summary, and a list of links a section. */
export const llmsIndex = (site: Site): string =>
  `${blocks(
    '# Filmgate',
    '> One HTTP API in front of many video providers, paid by credits. A client posts a request, waits for its task and fetches an MP4. It is charged once for a video that it can fetch, or gets its credits back, or is told that the outcome is not known yet.',
    'Every page is Markdown at these addresses. The API is described by [openapi.json](/openapi.json), and all pages are in one file at [llms-full.txt](/docs/llms-full.txt).',
    ...sections.flatMap(section => [`## ${section}`, bullets(pagesOf(site, section).map(link))]),
  )}\n`

/** All pages in one text. */
export const llmsFull = (site: Site): string => [...site.pages.values()].map(page => twinOf(site, page.markdown())).join('\n\n---\n\n')

const pagesOf = ({ pages }: Site, section: string): DocPage[] => [...pages.values()].filter(page => page.section === section)

const link = ({ title, path, summary }: DocPage): string => `${linkTo(title, path)}: ${summary}`
