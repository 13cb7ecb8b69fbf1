import type { ServerResponse } from 'node:http';
import {
  matchCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
} from './provider-server.ts';
import { STRIPE_ACCOUNT } from './stripe-books.ts';
import { readForm, type StripeOperation } from './stripe-requests.ts';
import { StripeBrowserSide } from './stripe-scripts.ts';
import { StripeService } from './stripe-service.ts';

const PATHS: readonly [RegExp, StripeOperation][] = [
  [/^POST \/v1\/payment_intents$/, 'create-intent'],
  [/^GET \/v1\/payment_intents$/, 'list-intents'],
  [/^GET \/v1\/payment_intents\/search$/, 'search-intents'],
  [/^GET \/v1\/payment_intents\/(\w+)$/, 'read-intent'],
  [/^POST \/v1\/payment_intents\/(\w+)\/confirm$/, 'confirm'],
  [/^POST \/v1\/payment_intents\/(\w+)\/capture$/, 'capture'],
  [/^POST \/v1\/payment_intents\/(\w+)\/cancel$/, 'cancel'],
  [/^POST \/v1\/refunds$/, 'refund'],
  [/^GET \/v1\/refunds$/, 'list-refunds'],
  [/^POST \/v1\/customers$/, 'create-customer'],
  [/^DELETE \/v1\/customers\/(\w+)$/, 'delete-customer'],
  [/^GET \/v1\/payment_method_domains$/, 'list-domains'],
];
const FORM = 'application/x-www-form-urlencoded';

/**
 * A strict simulator of Stripe's API, with the script `/stripe.js` for pages and a bank that asks drivers. It refuses
 * parameters that Stripe's reference does not have, amounts that Stripe does not take, and a known idempotency key with
 * other parameters.
 */
export class StripeSimulator extends ProviderServer<StripeOperation> {
  readonly service = new StripeService();
  readonly #browserSide = new StripeBrowserSide(this.service.books, () => this.origin);

  get complaints(): string[] {
    return this.service.complaints;
  }

  /** The settings for the configuration of the gateway. */
  settings() {
    const hosts = { api: this.origin, script: `${this.origin}/stripe.js` };
    return { kind: 'stripe' as const, ...STRIPE_ACCOUNT, hosts };
  }

  protected override serveBrowser(request: ProviderRequest, response: ServerResponse): boolean {
    return this.#browserSide.serve(request, response);
  }

  protected read(request: ProviderRequest): ProviderCall<StripeOperation> | ProviderAnswer {
    const { method, path, query, headers, text } = request;
    const call = matchCall(PATHS, `${method} ${path}`);
    if (!call) {
      this.complaints.push(`${method} ${path}`);
      return refusal(404);
    }
    if (headers.authorization !== `Bearer ${STRIPE_ACCOUNT.secretKey}`) return refusal(401);
    const complaint = complaintAbout(request);
    if (complaint) {
      this.complaints.push(`${call.operation}: ${complaint}`);
      return refusal(400);
    }
    const key = headers['idempotency-key'];
    const act = (): ProviderAnswer => {
      const { status, body, isReplayed } = this.service.act({
        ...call,
        fields: readForm(method === 'POST' ? text : query.toString()),
        idempotencyKey: typeof key === 'string' ? key : null,
      });
      const replayed = isReplayed && { 'idempotent-replayed': 'true' };
      return { status, body, headers: { 'request-id': 'req_sim', ...replayed } };
    };
    return { operation: call.operation, act };
  }
}

function complaintAbout({ method, headers, text }: ProviderRequest): string | null {
  if (headers['stripe-version'] === undefined) return 'no version';
  if (method !== 'POST') return text === '' ? null : 'a body';
  return headers['content-type']?.startsWith(FORM) ? null : 'not a form';
}

function refusal(status: number): ProviderAnswer {
  return { status, body: { error: { type: 'invalid_request_error' } } };
}
