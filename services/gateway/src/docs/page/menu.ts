import { type Html, html } from '@filmgate/kit/http/html'
import { tagTitle } from '../pages/api'
import { operationPath } from '../pages/operation'
import { type DocPage, sections } from '../site/doc-page'
import type { Site } from '../site/site'

/** Long lists, which are unfolded on their own pages. */
const folded = new Set<string>(['Models', 'API'])

/** The way to every page; folded on a narrow screen, where it stands above the content. */
export const menu = (site: Site, current: Pick<DocPage, 'path' | 'section'> | undefined): Html => html`
<header class="side">
<p class="brand"><a href="/docs">Filmgate API</a></p>
<button type="button" class="search" id="open-search" aria-haspopup="dialog">Search<kbd>/</kbd></button>
<details class="menu" id="menu"><summary>Menu</summary>
<nav class="panel" aria-label="Pages">
${sections.map(section => group(site, section, current))}
</nav>
</details>
</header>`

function group(site: Site, section: DocPage['section'], current: Pick<DocPage, 'path' | 'section'> | undefined): Html {
  const pages = [...site.pages.values()].filter(page => page.section === section)
  const tags = new Map(site.operations.map(({ id, tag }) => [operationPath(id), tag]))
  const byTag = Map.groupBy(pages, ({ path }) => tags.get(path))
  const lists = [...byTag].map(
    ([tag, own]) =>
      html`${tag !== undefined && html`<p class="tag-name">${tagTitle(tag)}</p>`}<ul>${own.map(page => item(page, current?.path))}</ul>`,
  )
  const isOpen = !folded.has(section) || current?.section === section
  return html`<details class="group"${isOpen && html` open`}><summary>${section}</summary>${lists}</details>`
}

const item = ({ path, title, label }: DocPage, current: string | undefined): Html =>
  html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label ?? title}</a></li>`
