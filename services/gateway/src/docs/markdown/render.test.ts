import { expect, test } from 'bun:test'
import { html } from '@filmgate/kit/http/html'
import { renderMarkdown } from './render'
import { prose, table } from './write'

const render = (source: string) => renderMarkdown(source, (name, argument) => html`<i>${name} ${argument}</i>`)

test('markup in a text is shown, and none of it reaches the page', () => {
  const { html: shown } = render(
    '# A <b>b</b>\n\n<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> `<i>`\n\n```html\n</code><script>\n```',
  )
  expect(shown.text).not.toMatch(/<(script|img|b|i)\b/)
  expect(shown.text).toContain('&lt;script&gt;')
})

test('a link leads to a page, a part of one, or by http; every other address is dropped', () => {
  const addresses = [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'http://127.0.0.1:4108/keys',
    'billing.md#a',
    '/docs/models/x-1.0.md',
  ]
  const { html: shown } = render(addresses.map(address => `[x](${address})`).join(' '))
  expect([...shown.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    ...['#', '#', '#', 'http://127.0.0.1:4108/keys'],
    '/docs/billing#a',
    '/docs/models/x-1.0',
  ])
})

test('headings get ids of their words, and equal ones different ids', () => {
  const { headings } = render('# One\n\n## `insufficient_credits`\n\n## 1. Create a key\n\n## GET /tasks/{id}\n\n## One')
  expect(headings.map(({ id }) => id)).toEqual(['one', 'insufficient_credits', '1-create-a-key', 'get-tasksid', 'one-2'])
})

test('a directive stands on its own line; any other comment is text', () => {
  const { html: shown } = render('<!-- sample: first-video -->\n\n<!-- a note of ours -->')
  expect(shown.text).toContain('<i>sample first-video</i>')
  expect(shown.text).toContain('&lt;!-- a note of ours --&gt;')
})

test('cells carry the names of their columns, also after an empty one', () => {
  const { html: shown } = render(
    table(
      ['', 'A|B'],
      [
        ['x', '`1|2`'],
        ['y', 'two\nlines'],
      ],
    ),
  )
  expect([...shown.text.matchAll(/data-label="([^"]*)">(.*?)<\/td>/g)].map(([, label, cell]) => [label, cell])).toEqual([
    ['', 'x'],
    ['A|B', '<code>1|2</code>'],
    ['', 'y'],
    ['A|B', 'two lines'],
  ])
})

test('text of a card stays text, and what is between backticks code', () => {
  const { html: shown } = render(prose('a*b* [c](d) <e> snake_case_name `f*g*`'))
  expect(shown.text).toBe('<p>a*b* [c](d) &lt;e&gt; snake_case_name <code>f*g*</code></p>\n')
})
