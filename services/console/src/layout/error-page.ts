import { html } from '@filmgate/kit/http/html'
import { page } from './page'

const titles: Record<number, string> = {
  400: 'That didn’t work',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Nothing here',
  409: 'Done before',
  413: 'Too large',
  429: 'A little slower, please',
  503: 'One moment',
}

export const errorPage = (status: number, message: string, requestId: string): string =>
  page({
    title: titles[status] ?? 'Something went wrong',
    content: html`<p>${message}</p>
<p><a class="button" href="/">To the console</a></p>
${requestId !== '' && html`<p class="soft">If you ask us about this, name the request: <code>${requestId}</code></p>`}`,
  })
