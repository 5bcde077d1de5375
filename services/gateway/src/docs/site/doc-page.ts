export const sections = ['Start', 'Guides', 'Models', 'API', 'Reference'] as const

/** A page of the reference. Its HTML, its Markdown twin and its entries in the search are all made of `markdown`. */
export type DocPage = {
  /** `/docs/models/alpha-h3`; the twin is at the same path with `.md`. */
  path: string
  title: string
  /** What menus call it, where that is shorter than the title. */
  label?: string
  section: (typeof sections)[number]
  /** One sentence. */
  summary: string
  /** Whole, with its `# Title`. Lines `<!-- name: argument -->` stand for what Markdown can't say. */
  markdown(): string
}

/** A link as pages write it: to the twin, which a browser is led past. */
export const linkTo = (words: string, path: string, anchor?: string): string =>
  `[${words}](${twinPath(path)}${anchor === undefined ? '' : `#${anchor}`})`

/** Below /docs, because an Ingress publishes that prefix alone. */
export const twinPath = (path: string): string => (path === '/docs' ? '/docs/index.md' : `${path}.md`)
