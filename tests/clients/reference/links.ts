import type { Report } from '../../support/suite/report'
import { allPages, origin } from './pages'

type Page = { path: string; ids: Set<string>; links: string[]; headings: number; twin: string }

/** Over the whole catalog: every link and anchor leads somewhere, and each twin has the headings of its page. */
export async function proveLinks(report: Report): Promise<void> {
  const paths = await allPages()
  const pages = new Map<string, Page>()
  for (const path of paths) {
    const page = await fetch(`${origin}${path}`)
    const text = await page.text()
    const twin = await fetch(`${origin}${twinPath(text)}`)
    report.check(`${path} and its twin are there`, page.status === 200 && twin.status === 200, `${page.status} ${twin.status}`)
    pages.set(path, read(path, text, await twin.text()))
  }
  report.figure('reference.pages', pages.size)
  report.check('there is a page for each model, route and topic', pages.size > 70, String(pages.size))
  let links = 0
  const others = new Map<string, boolean>()
  for (const page of pages.values()) {
    for (const link of page.links) {
      links += 1
      report.check(`${page.path}: ${link} leads somewhere`, await leadsSomewhere(link, page, pages, others))
    }
    const ofTwin = page.twin.replace(/^```[\s\S]*?^```$/gm, '').match(/^#{1,3} /gm)?.length ?? 0
    report.check(`${page.path}: its twin has its headings`, ofTwin === page.headings, `${ofTwin} of ${page.headings}`)
  }
  report.figure('reference.links', links)
  const full = await (await fetch(`${origin}/llms-full.txt`)).text()
  const lacking = [...pages.values()].filter(({ twin }) => !full.includes(twin.trim()))
  report.check('llms-full.txt has every page', lacking.length === 0, lacking.map(({ path }) => path).join())
}

const twinPath = (text: string): string => /<link rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(text)?.[1] ?? '/no-twin'

const read = (path: string, text: string, twin: string): Page => ({
  path,
  ids: new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)),
  links: [...new Set([...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')))],
  headings: text.slice(text.indexOf('<main')).match(/<h[1-3]\b/g)?.length ?? 0,
  twin,
})

/** The console's pages are asked for as a browser does. Links to other hosts are not followed: nothing here depends on them. */
async function leadsSomewhere(link: string, from: Page, pages: Map<string, Page>, others: Map<string, boolean>): Promise<boolean> {
  const { origin: host, pathname, hash } = new URL(link, `${origin}${from.path}`)
  if (link.startsWith('https://')) return true
  const page = host === origin ? pages.get(pathname) : undefined
  if (page) return hash === '' || page.ids.has(decodeURIComponent(hash.slice(1)))
  const address = `${host}${pathname}`
  if (!others.has(address)) others.set(address, (await fetch(address, { headers: { accept: 'text/html' } })).status === 200)
  return others.get(address) === true
}
