import { type Html, html } from '@filmgate/kit/http/html'
import type { Heading } from '../markdown/render'
import { type DocPage, twinPath } from '../site/doc-page'
import type { Site } from '../site/site'
import { menu } from './menu'

type PageContent = {
  title: string
  summary?: string
  content: Html
  headings: Heading[]
  /** Undefined for what is no page of the menu. */
  page?: DocPage
  scripts?: string[]
}

const contentsMin = 3

/** A whole page: it loads its own style and scripts and nothing else. */
export function layout(site: Site, { title, summary, content, headings, page, scripts = [] }: PageContent): string {
  const beside = contents(headings)
  return html`<!doctype html>
<html lang="en" data-catalog="${site.catalog.version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Filmgate API' ? title : `${title} · Filmgate API`}</title>
${summary !== undefined && html`<meta name="description" content="${summary}">\n`}<link rel="icon" href="data:,">
${page && html`<link rel="alternate" type="text/markdown" href="${twinPath(page.path)}">\n`}<script src="/docs/early.js"></script>
<link rel="stylesheet" href="/docs/page.css">
${['page.js', ...scripts].map(name => html`<script src="/docs/${name}" defer></script>\n`)}</head>
<body${beside && html` class="three"`}>
<a class="skip" href="#content">Skip to the content</a>
${menu(site, page)}
<main id="content" tabindex="-1">
${content}
${page && html`<p class="twin"><a href="${twinPath(page.path)}">This page as Markdown</a></p>`}
</main>
${beside}
</body>
</html>`.text
}

/** What is on this page, beside it where there is room. */
function contents(headings: Heading[]): Html | false {
  const own = headings.filter(({ level }) => level === 2)
  return (
    own.length >= contentsMin &&
    html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${own.map(({ id, words }) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></nav>`
  )
}

/** Lets the page run its own scripts and style and speak to its own host; outputs may be played from wherever they are kept. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  'media-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
