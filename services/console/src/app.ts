import { Failure } from '@filmgate/kit/failure'
import { deviceCodePath, tokenPath } from '@filmgate/kit/http/authorization-server'
import { health, type Readiness } from '@filmgate/kit/http/server'
import { countRoutes, spans } from '@filmgate/kit/http/spans'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type AnyElysia, Elysia } from 'elysia'
import { type AccountListDeps, accountList } from './account-list/routes'
import { batch } from './batch/routes'
import { type WebhookDeps, webhook } from './billing/events/routes'
import { type BillingDeps, billing } from './billing/routes'
import { type BudgetsDeps, budgets } from './budgets/routes'
import { compare } from './compare/routes'
import { type OAuthDeps, oauth } from './device-login/oauth-routes'
import { type DeviceLoginDeps, deviceLogin } from './device-login/routes'
import { type EmailPreferencesDeps, emailPreferences } from './email-preferences/routes'
import { unsubscribePath } from './email-preferences/unsubscribe-link'
import type { Reason } from './errors'
import { type HeaderDeps, headers } from './http/headers'
import { routeList } from './http/route-list'
import { sameOrigin } from './http/same-origin'
import { type InvitationDeps, invitations } from './invitations/routes'
import { type KeysDeps, keys } from './keys/routes'
import { assetRoutes } from './layout/assets'
import { renderError } from './layout/render-error'
import { type MembersDeps, members } from './members/routes'
import { type ModelsDeps, models } from './models/routes'
import { type OperateAppDeps, operate } from './operate/routes'
import { type OperatorDeps, operator } from './operator/routes'
import { type OverviewDeps, overview } from './overview/routes'
import { type PersonDeletionDeps, personDeletion } from './person-deletion/routes'
import { type PlaygroundDeps, playground } from './playground/routes'
import { type RequestsDeps, requests } from './requests/routes'
import { resetRoutes } from './reset/routes'
import { renewCookies } from './secrets/renew-cookies'
import { securityRoutes } from './security/routes'
import { type SettingsDeps, settings } from './settings/routes'
import { type LinkDeps, linkRoutes } from './sign-in/local/link-routes'
import { signInRoutes } from './sign-in/routes'
import { signUpRoutes } from './sign-up/routes'
import { type TasksDeps, tasks } from './tasks/routes'
import { type TryItDeps, tryIt } from './try-it/routes'
import { type UploadDeps, uploads } from './uploads/routes'
import { type UsageDeps, usage } from './usage/routes'
import { type WebhooksDeps, webhooks } from './webhooks/routes'

export type Deps = { log: Log; readiness: Readiness; consoleUrl: string } & HeaderDeps &
  LinkDeps &
  OverviewDeps &
  KeysDeps &
  UsageDeps &
  RequestsDeps &
  MembersDeps &
  BudgetsDeps &
  EmailPreferencesDeps &
  InvitationDeps &
  AccountListDeps &
  DeviceLoginDeps &
  OAuthDeps &
  SettingsDeps &
  PersonDeletionDeps &
  TryItDeps &
  BillingDeps &
  WebhookDeps &
  WebhooksDeps &
  TasksDeps &
  ModelsDeps &
  PlaygroundDeps &
  UploadDeps &
  OperateAppDeps &
  OperatorDeps

/**
 * Paths that other machines call. They authenticate with a signature, a token or a code and read no cookie, so the
 * same-origin check skips them.
 */
const foreignPaths = ['/webhooks/stripe', unsubscribePath, '/operator/', deviceCodePath, tokenPath]

/** Composes the routes. main.ts passes the real dependencies, tests pass their own. */
export function createApp(deps: Deps): AnyElysia {
  const app = new Elysia({ normalize: false })
    .use(spans(deps.log))
    .use(renderError(deps.log))
    .use(headers(deps))
    .use(renewCookies(deps))
    .use(sameOrigin(deps.consoleUrl, foreignPaths))
    .use(health(deps.readiness))
    .use(assetRoutes())
    .use(signInRoutes(deps))
    .use(linkRoutes(deps))
    .use(signUpRoutes(deps))
    .use(resetRoutes(deps))
    .use(securityRoutes(deps))
    .use(overview(deps))
    .use(keys(deps))
    .use(usage(deps))
    .use(requests(deps))
    .use(members(deps))
    .use(budgets(deps))
    .use(emailPreferences(deps))
    .use(invitations(deps))
    .use(accountList(deps))
    .use(settings(deps))
    .use(personDeletion(deps))
    .use(tryIt(deps))
    .use(oauth(deps))
    .use(deviceLogin(deps))
    .use(billing(deps))
    .use(webhook(deps))
    .use(webhooks(deps))
    .use(models(deps))
    .use(playground(deps))
    .use(compare(deps))
    .use(batch(deps))
    .use(tasks(deps))
    .use(uploads(deps))
    .use(operate(deps))
    .use(operator(deps))
    .all('/*', function noSuchPage() {
      throw new Failure<Reason>('not_found')
    })
  return countRoutes(app.use(routeList(deps, () => app.routes)))
}
