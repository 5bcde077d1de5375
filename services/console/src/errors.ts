import type { Reasons } from '@filmgate/kit/failure'

/** The errors of the console, with the message that people read. */
export const reasons = {
  invalid_request: [400, 'Some fields need correcting.'],
  invalid_form: [400, 'The form could not be read. Go back, reload the page and send it again.'],
  invalid_signature: [400, 'The signature is invalid or has expired.'],
  invalid_content_type: [400, 'Send the body with Content-Type: application/json.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  operator_token_required: [401, 'Send the operator token as a bearer token.'],
  signed_out: [401, 'Sign in first.'],
  other_site: [403, 'The request came from another site. Open the console and try again there.'],
  confirm_first: [403, 'Your sign-in is not recent. Confirm it with your password or passkey first.'],
  role_insufficient: [403, 'Your role in this account does not allow that. Ask one of its owners.'],
  operator_mismatch: [403, 'This token is of another operator. Leave the name out, or send that of the token.'],
  operator_role_insufficient: [403, 'Your role as an operator does not allow that. Nothing was done.'],
  second_factor_required: [
    403,
    'Operators need a second factor, or only passkeys. Set one up under “Sign-in and security”, then come back.',
  ],
  not_found: [404, 'This page does not exist, or you may not see it.'],
  method_not_allowed: [405, 'This method is not allowed here.'],
  form_taken: [409, 'This form was already submitted. It was processed once.'],
  credits_on_their_way: [
    409,
    'A payment has arrived, and its credits are being added. Try again in a moment. Otherwise the credits would be lost with the account.',
  ],
  cross_audit_running: [409, 'Another manual cross-audit is running.'],
  reconciliation_running: [409, 'Another manual reconciliation is running.'],
  last_owner: [409, 'An account needs an owner. Make somebody else an owner first, or delete the account.'],
  body_too_large: [413, 'The request is too large.'],
  too_many: [429, 'Too many attempts. Wait a moment and try again.'],
  sign_in_locked: [429, 'Too many attempts. Wait a moment and try again.'],
  service_unavailable: [503, 'Filmgate is not available at the moment. Nothing was lost. Try again in a moment.'],
  payments_unavailable: [503, 'Stripe is not available at the moment. Nothing was paid. Try again in a moment.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
