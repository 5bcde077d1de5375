import { html } from '@filmgate/kit/http/html'
import { page } from '../../layout/page'

/** Leads to another provider by a page of our own: a form's answer may lead nowhere but to the console (form-action of the CSP). */
export function leavePage(set: { headers: Record<string, string | number> }, name: string, url: string): string {
  set.headers.refresh = `0; url=${url}`
  return page({ title: `To ${name}`, content: html`<p class="row"><a class="button" href="${url}">Go on to ${name}</a></p>` })
}
