import { contentOf } from '../page/page'
import type { Site } from './site'

/** A place that a search can lead to: its title, the page that it is on, its address below /docs, and the codes of a page. */
type Entry = [title: string, page: string, address: string, codes: string]

const codeCharactersMax = 40

/**
 * Pages with their headings, and the codes that stand on each: fields, errors, values, headers. Pages of models are found by their names, modes
 * and abilities: they are not made for it, and their fields are found on the page of fields once instead of with each model.
 */
export function searchIndex(site: Site): Entry[] {
  return [...site.pages.values()].flatMap((page): Entry[] => {
    const address = page.path.slice('/docs'.length)
    const card = site.catalog.models.get(page.title)?.card
    if (card)
      return [[page.title, page.section, address, [card.family, ...card.modes.map(({ name }) => name), ...card.capabilities].join(' ')]]
    const { headings, codes } = contentOf(site, page)
    const own = codes.filter(code => code.length <= codeCharactersMax && !page.title.includes(code))
    return [
      [page.title, page.section, address, own.join(' ')],
      ...headings
        .filter(({ level }) => level === 2 || level === 3)
        .map(({ words, id }): Entry => [words, page.title, `${address}#${id}`, '']),
    ]
  })
}
