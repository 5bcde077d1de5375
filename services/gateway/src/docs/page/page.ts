import { type Html, html } from '@filmgate/kit/http/html'
import { firstExample, templatesOf } from '../examples/examples'
import { type RenderedMarkdown, renderMarkdown } from '../markdown/render'
import { defaultExample } from '../site/directives'
import type { DocPage } from '../site/doc-page'
import type { Site } from '../site/site'
import { layout } from './layout'
import { allChoices, choicesOf, sampleBlock } from './sample-block'
import { isTried, tryIt } from './try-it'

/** A page of the reference as HTML. */
export function page(site: Site, shown: DocPage): string {
  const { html: content, headings } = contentOf(site, shown)
  const scripts = { '/docs': ['old-links.js'], '/docs/try-it': ['try-it.js'] }[shown.path]
  return layout(site, { title: shown.title, summary: shown.summary, content, headings, page: shown, scripts })
}

export const contentOf = (site: Site, shown: DocPage): RenderedMarkdown =>
  renderMarkdown(shown.markdown(), (name, argument) => directive(site, name, argument))

function directive(site: Site, name: string, argument: string): Html {
  const { catalog } = site
  if (name === 'try-it') return tryIt(site)
  if (name === 'try') return tryLink(site, argument)
  if (name === 'sample') {
    const example = defaultExample(site)
    return example ? sampleBlock({ templates: templatesOf(argument), example, choices: allChoices(catalog) }) : html``
  }
  if (name === 'model-sample') {
    const model = catalog.models.get(argument)
    const example = model && firstExample(model.card)
    return example
      ? sampleBlock({ templates: templatesOf('first-video'), example, choices: choicesOf(model.card), model: model.id })
      : html``
  }
  return html``
}

function tryLink({ operations }: Site, target: string): Html {
  const operation = operations.find(({ id }) => id === target)
  if (operation && !isTried(operation)) return html``
  return html`<p><a class="button" href="/docs/try-it?${operation ? 'operation' : 'example'}=${target}">Try it</a></p>\n`
}

/** What an unknown path below /docs is answered with. */
export const missingPage = (site: Site): string =>
  layout(site, {
    title: 'No such page',
    content: html`<h1>No such page</h1>
<p>The reference has no page at this address. Search it, or go to one of these:</p>
<ul>
<li><a href="/docs">Quick start</a></li>
<li><a href="/docs/models">Models</a></li>
<li><a href="/docs/api">API</a></li>
<li><a href="/docs/errors">Errors</a></li>
</ul>`,
    headings: [],
  })
