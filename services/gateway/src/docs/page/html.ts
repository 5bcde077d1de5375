/** Markup that is safe to put into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | Part[] | undefined | false

/** A template whose values are escaped unless they are Html themselves; lists are joined, undefined and false left out. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? ''
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '')
  return new Html(text)
}

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  return Array.isArray(part) ? part.map(render).join('') : escaped(String(part))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? character)

/** JSON that may stand inside a script element: no `</script>` can be formed in it. */
export const jsonForScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))
