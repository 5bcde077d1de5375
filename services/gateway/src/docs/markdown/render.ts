import { Html, html } from '@filmgate/kit/http/html'
import { createAnchors } from './anchors'

export type Heading = { level: number; id: string; words: string }
export type RenderedMarkdown = { html: Html; headings: Heading[]; codes: string[] }

/** What a line `<!-- name: argument -->` of a page stands for. */
export type Directive = (name: string, argument: string) => Html

/** What a phone shows side by side. */
const gridCharactersMax = 36
const directivePattern = /^<!--\s*([a-z-]+)(?::\s*(\S+))?\s*-->\s*$/

/**
 * Markdown as HTML. Every text is escaped, HTML other than a directive too, and a link leads to this host or by http.
 * Headings get ids; `codes` are the short codes of the text, for the search.
 */
export function renderMarkdown(source: string, directive: Directive): RenderedMarkdown {
  const headings: Heading[] = []
  const codes = new Set<string>()
  const anchors = createAnchors()
  let columns: string[] = []
  let cell = 0
  let widths: number[] = []
  const measure = (markup: string) => {
    widths[cell] = Math.max(widths[cell] ?? 0, plain(markup).length)
    cell += 1
  }
  const here = () => headings.at(-1)?.words ?? ''
  const rendered = Bun.markdown.render(
    source,
    {
      text: escaped,
      heading(children, { level }) {
        const words = plain(children)
        const id = anchors(words)
        headings.push({ level, id, words })
        if (level === 1) return `<h1>${children}</h1>\n`
        const label = html`<a class="anchor" href="#${id}" aria-label="Link to ${words}">#</a>`
        return `<h${level} id="${escaped(id)}">${children} ${label.text}</h${level}>\n`
      },
      paragraph: children => `<p>${children}</p>\n`,
      blockquote: children => `<blockquote>${children}</blockquote>\n`,
      strong: children => `<strong>${children}</strong>`,
      emphasis: children => `<em>${children}</em>`,
      codespan(children) {
        codes.add(plain(children))
        return `<code>${children}</code>`
      },
      code: (children, meta) => codeBlock(new Html(children.trimEnd()), `${here()}, ${meta?.language ?? 'text'}`).text,
      link: (children, { href }) => `<a href="${escaped(safeAddress(href))}">${children}</a>`,
      list: (children, { ordered }) => (ordered ? `<ol>${children}</ol>\n` : `<ul>${children}</ul>\n`),
      listItem: children => `<li>${children}</li>`,
      hr: () => '<hr>\n',
      table(children) {
        columns = []
        // A narrow table is read across, also on a phone.
        const isGrid = widths.reduce((sum, width) => sum + width, 0) <= gridCharactersMax
        widths = []
        const label = escaped(`Table: ${here()}`)
        return `<div class="scroll${isGrid ? ' grid' : ''}" tabindex="0" role="group" aria-label="${label}"><table role="table">${children}</table></div>\n`
      },
      thead: children => (columns.some(Boolean) ? `<thead role="rowgroup">${children}</thead>` : ''),
      tbody: children => `<tbody role="rowgroup">${children}</tbody>`,
      tr(children) {
        cell = 0
        return `<tr role="row">${children}</tr>`
      },
      th(children) {
        columns.push(plain(children))
        measure(children)
        return children === '' ? '<td role="cell"></td>' : `<th role="columnheader" scope="col">${children}</th>`
      },
      td(children) {
        const label = columns[cell] ?? ''
        measure(children)
        return `<td role="cell" data-label="${escaped(label)}">${children}</td>`
      },
      html(children) {
        const [, name = '', argument = ''] = directivePattern.exec(unescaped(children)) ?? []
        return name === '' ? `<p>${children}</p>\n` : directive(name, argument).text
      },
    },
    { headings: false, noHtmlSpans: true, autolinks: false },
  )
  return { html: new Html(rendered), headings, codes: [...codes] }
}

/** Code with room for a copy button, which the script puts there. A placeholder of the host becomes the own one in the browser. */
export const codeBlock = (code: Html | string, label: string): Html =>
  html`<div class="code"><pre tabindex="0" role="group" aria-label="${label}"><code>${withOrigin(code)}</code></pre></div>\n`

/** Not put there by the server: a page made from the Host header could be cached for others. */
export const hostPlaceholder = 'https://YOUR-HOST'
const withOrigin = (code: Html | string): Html =>
  new Html(html`${code}`.text.replaceAll(hostPlaceholder, `<span data-origin>${hostPlaceholder}</span>`))

const escaped = (text: string): string => html`${text}`.text
const unescaped = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')

/** Rendered inline HTML as its words. */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const plain = (markup: string): string =>
  markup.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, entity => entities[entity] ?? entity)

/** Pages are written with links between their Markdown twins, `billing.md#prices`; a browser is led to the pages themselves. */
function safeAddress(address: string): string {
  const [, name, anchor = ''] = /^(?:\/docs\/)?([\w./-]+)\.md(#.*)?$/.exec(address) ?? []
  if (name !== undefined && !name.startsWith('/')) return `${name === 'index' ? '/docs' : `/docs/${name}`}${anchor}`
  return /^(https?:\/\/|\/(?!\/)|#)/.test(address) ? address : '#'
}
