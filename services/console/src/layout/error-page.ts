import { html } from '@filmgate/kit/http/html'
import { page } from './page'

const titles: Record<number, string> = {
  400: 'Invalid request',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Page not found',
  409: 'Already done',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
}

/** Where a person can help themselves. */
export type Help = { label: string; path: string }

export const errorPage = (
  status: number,
  message: string,
  requestId: string,
  help: Help = { label: 'Go to the console', path: '/' },
): string =>
  page({
    title: titles[status] ?? 'Something went wrong',
    content: html`<p>${message}</p>
<p><a class="button" href="${help.path}">${help.label}</a></p>
${requestId !== '' && html`<p class="soft">If you contact us about this, give the request id: <code>${requestId}</code></p>`}`,
  })
