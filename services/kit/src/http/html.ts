/** Markup that is safe to put into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

type Content = Html | string | number | Content[] | undefined | false

/** A template whose values are escaped unless they are Html themselves; lists are joined, undefined and false left out. */
export function html(strings: TemplateStringsArray, ...contents: Content[]): Html {
  let text = strings[0] ?? ''
  for (const [index, content] of contents.entries()) text += render(content) + (strings[index + 1] ?? '')
  return new Html(text)
}

function render(content: Content): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Html) return content.text
  return Array.isArray(content) ? content.map(render).join('') : escaped(String(content))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? character)

/** JSON that may stand inside a script element: no `</script>` can be formed in it. */
export const jsonForScript = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))
