import type { Reasons } from '@filmgate/kit/failure'

/** The errors of the console, with the message that people read. */
export const reasons = {
  invalid_request: [400, 'Something in the form needs mending.'],
  invalid_form: [400, 'The form could not be read. Go back, reload the page and send it again.'],
  invalid_signature: [400, 'The signature is not Stripe’s, or too old.'],
  invalid_content_type: [400, 'Send the body with Content-Type: application/json.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  operator_token_required: [401, 'Send the operator token as a bearer token.'],
  signed_out: [401, 'Sign in first.'],
  other_site: [403, 'This came from another site. Open the console and try again there.'],
  confirm_first: [403, 'You signed in a while ago: give your password or passkey first.'],
  role_insufficient: [403, 'Your role in this account does not allow that. Ask one of its owners.'],
  operator_mismatch: [403, 'This token is of another operator. Leave the name out, or send that of the token.'],
  operator_role_insufficient: [403, 'Your role as an operator does not allow that. Nothing was done.'],
  second_factor_required: [
    403,
    'Operators sign in with a second factor or with passkeys alone. Open “Sign-in and security”, set up a second factor, and come back.',
  ],
  not_found: [404, 'There is nothing here, or nothing that you may see.'],
  method_not_allowed: [405, 'That can’t be done at this address.'],
  form_taken: [409, 'This form was sent before, and what it asked for was done once.'],
  credits_on_their_way: [
    409,
    'A payment has arrived, and its credits are being added. Try again in a moment: an account that is deleted has no use of them.',
  ],
  reconciliation_running: [409, 'Another reconciliation by hand is under way.'],
  last_owner: [409, 'An account needs an owner. Make somebody else an owner first, or delete the account.'],
  body_too_large: [413, 'That is larger than the console takes.'],
  too_many: [429, 'Too many tries. Wait a little and try again.'],
  service_unavailable: [503, 'Filmgate can’t be reached just now. Nothing was lost; try again in a moment.'],
  payments_unavailable: [503, 'Stripe can’t be reached just now. Nothing was paid; try again in a moment.'],
  internal_error: [500, 'Something went wrong on our side.'],
} as const satisfies Reasons

export type Reason = keyof typeof reasons
