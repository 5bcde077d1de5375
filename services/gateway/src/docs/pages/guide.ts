import type { DocPage } from '../site/doc-page'

/** A guide's link into the console, such as `[API keys]({{console}}/keys)`. */
const consoleLink = /\[([^\]]+)\]\(\{\{console\}\}(\/[^)]*)\)/g

/** Without a console only the words of its links stay. */
const withConsole = (markdown: string, consoleUrl: string | undefined): string =>
  markdown.replace(consoleLink, (_, words: string, path: string) =>
    consoleUrl === undefined ? words : `[${words}](${new URL(path, consoleUrl).href})`,
  )

/** Guides that are not named here follow these, by name. */
const order = [
  ...['first-video', 'clients', 'idempotency-and-retries', 'polling-and-webhooks', 'media', 'limits-and-budgets', 'billing', 'agents'],
  ...['migrating-from-openai', 'migrating-from-fal', 'migrating-from-replicate'],
]

/** A file of `guides`: its first line is the title, its second paragraph the summary. */
export function guidePage(name: string, markdown: string, consoleUrl?: string): DocPage {
  const [title = '', summary = ''] = markdown.split(/\n\s*\n/)
  return {
    path: `/docs/${name}`,
    title: title.replace(/^# /, '').trim(),
    section: 'Guides',
    summary: summary.replace(/\s*\n\s*/g, ' '),
    markdown: () => withConsole(markdown, consoleUrl),
  }
}

export function guidePages(guides: Record<string, string>, consoleUrl?: string): DocPage[] {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(guides)
    .sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b))
    .map(([name, markdown]) => guidePage(name, markdown, consoleUrl))
}
