import { html } from '@filmgate/kit/http/html'
import { page } from '../../layout/page'

/**
 * Redirects to the provider through a page of our own, because the CSP's form-action allows a form to redirect only to
 * the console.
 */
export function redirectPage(set: { headers: Record<string, string | number> }, name: string, url: string): string {
  set.headers.refresh = `0; url=${url}`
  return page({ title: `To ${name}`, content: html`<p class="row"><a class="button" href="${url}">Continue to ${name}</a></p>` })
}
