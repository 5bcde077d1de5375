import { blocks, codeSpan, table } from '../markdown/write'
import { tags } from '../open-api/tags'
import { type DocPage, linkTo } from '../site/doc-page'
import { type Operation, operationPath } from './operation'

const summary = 'Every route, with its parameters, answers and errors.'

/** The routes by their tags. */
export const apiPage = (operations: Operation[], version: string): DocPage => ({
  path: '/docs/api',
  title: 'API',
  label: 'All routes',
  section: 'API',
  summary,
  markdown: () =>
    blocks(
      '# API',
      summary,
      `Version ${version}. Send \`Authorization: Bearer sk_live_…\` with every request. Bodies and answers are JSON. For programs there is [openapi.json](/openapi.json), and ${linkTo('a form', '/docs/try-it')} sends requests from this page.`,
      ...Object.values(tags).flatMap(({ name, description }) => [
        `## ${tagTitle(name)}`,
        description,
        table(
          ['Route', 'What it does'],
          operations
            .filter(({ tag }) => tag === name)
            .map(({ id, method, path, summary: words }) => [codeSpan(`${method} ${path}`), linkTo(words, operationPath(id))]),
        ),
      ]),
    ),
})

export const tagTitle = (tag: string): string =>
  tag === tags.openai.name ? 'OpenAI’s API' : `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`
