import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { Person } from '../http/person'
import { assetPath } from './assets'
import { accountMenu, type Section } from './menu'

export type PageOptions = {
  /** The window title and the page's heading. */
  title: string
  content: Html
  /** Further scripts of this page, such as `playground.browser.js`. */
  scripts?: string[]
  person?: Pick<Person, 'name' | 'email' | 'operatorRole'>
  /** On pages of an account: the menu's data. */
  account?: { member: Membership; memberships: Membership[]; section: Section }
  /** A side menu that is not an account's. */
  side?: Html
  /** A message above the content: what was done, or what went wrong. */
  notice?: Notice
}

export type Notice = { kind: 'done' | 'wrong'; text: string | Html }

/** A whole page. It works without its scripts. */
export const page = ({ title, content, scripts = [], person, account, side, notice }: PageOptions): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Filmgate</title>
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assetPath('console.css')}">
${['common.browser.js', ...scripts].map(name => html`<script src="${assetPath(name)}" defer></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/"><span aria-hidden="true" class="mark"></span>Filmgate</a>
${person && personMenu(person)}
</header>
<div class="${account || side ? 'frame' : 'frame narrow'}">
${account ? accountMenu(account) : side}
<main id="content" tabindex="-1">
<h1>${title}</h1>
${notice && noticeOf(notice)}
${content}
</main>
</div>
</body>
</html>`.text

const personMenu = ({ name, email, operatorRole }: Pick<Person, 'name' | 'email' | 'operatorRole'>): Html => html`<details class="person">
<summary><span class="who">${name || email}</span></summary>
<div class="sheet">
<p class="soft">${email}</p>
<a href="/security">Sign-in and security</a>
<a href="/accounts">Accounts</a>
${operatorRole !== undefined && html`<a href="/operate">Operate</a>\n`}<form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
</div>
</details>`

const noticeOf = ({ kind, text }: Notice): Html =>
  html`<p class="notice ${kind}" role="${kind === 'wrong' ? 'alert' : 'status'}">${text}</p>`
