import type { ServerResponse } from 'node:http';
import {
  matchCall,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
  readJson,
  sendAnswer,
} from './provider-server.ts';
import { VERIFONE_ACCOUNT } from './verifone-gateway-answers.ts';
import { authenticationScript, bankPage, ENCRYPTION_SCRIPT } from './verifone-gateway-scripts.ts';
import { type Operation, VerifoneService } from './verifone-gateway-service.ts';

/** The path that is `/oidc` at Verifone. */
const API = '/oidc';
const PATHS: readonly [RegExp, Operation][] = [
  [/^POST \/3ds-service\/v2\/jwt\/create$/, 'jwt'],
  [/^POST \/3ds-service\/v2\/lookup$/, 'lookup'],
  [/^POST \/3ds-service\/v2\/jwt\/validate$/, 'validate'],
  [/^POST \/api\/v2\/transactions\/card$/, 'pay'],
  [/^POST \/api\/v2\/transactions\/reverse$/, 'reverse'],
  [/^GET \/api\/v2\/transactions$/, 'list'],
  [/^GET \/api\/v2\/transaction\/([\w-]+)$/, 'read'],
  [/^POST \/api\/v2\/transactions\/([\w-]+)\/refund$/, 'refund'],
  [/^POST \/api\/v2\/transactions\/([\w-]+)\/void_capture$/, 'void_capture'],
  [/^DELETE \/api\/v2\/card\/([\w-]+)$/, 'delete-token'],
];
/** The calls without a body, as documented; the others have JSON. */
const WITHOUT_BODY: readonly Operation[] = ['list', 'read', 'reverse', 'void_capture', 'delete-token'];

/**
 * A strict simulator of Verifone eCommerce, its 3-D Secure service, the bank's page, and the scripts that a
 * page loads from `/verifone.js` and `/songbird.js`. Where the documents leave something open, it behaves in
 * the worse way for us. An idempotency key does not make a second refund harmless, and a reversal does not
 * stop a payment that arrives later.
 */
export class VerifoneSimulator extends ProviderServer<Operation> {
  readonly service = new VerifoneService();

  get complaints(): string[] {
    return this.service.complaints;
  }

  override async start(): Promise<void> {
    await super.start();
    this.service.origin = this.origin;
  }

  /** The settings for the configuration of the gateway. */
  settings() {
    return {
      kind: 'verifone' as const,
      environment: 'sandbox',
      ...VERIFONE_ACCOUNT,
      publicKey: this.service.cards.publicKey,
      billing: { address: 'Borgartún 1', city: 'Reykjavík', countryCode: 'IS', email: 'office@example.is' },
      hosts: {
        api: this.origin + API,
        encryptionScript: `${this.origin}/verifone.js`,
        authenticationScript: `${this.origin}/songbird.js`,
      },
    };
  }

  protected read(request: ProviderRequest): ProviderCall<Operation> | ProviderAnswer {
    const { method, path, query, headers, text } = request;
    const call = matchCall(PATHS, `${method} ${path.slice(API.length)}`);
    if (!call) {
      this.complaints.push(`${method} ${path}`);
      return { status: 404, body: { message: 'no such call' } };
    }
    const complaint = complaintAbout(call.operation, request);
    if (complaint) this.complaints.push(`${call.operation}: ${complaint}`);
    if (!isAllowed(request)) return { status: 401, body: { code: 401, message: 'not allowed' } };
    if (complaint) return { status: 400, body: { code: 400, message: complaint } };
    const key = headers['x-vfi-api-idempotencykey'];
    const act = () =>
      this.service.act({
        ...call,
        query: Object.fromEntries(query),
        body: readJson(text),
        idempotencyKey: typeof key === 'string' ? key : null,
      });
    return { operation: call.operation, act };
  }

  /** The scripts of the page, Cardinal's service behind them, and the bank's page. */
  protected override serveBrowser(
    { method, path, text }: ProviderRequest,
    response: ServerResponse,
  ): boolean {
    if (path.startsWith(`${API}/`)) return false;
    const form = new URLSearchParams(text);
    const transactionId = form.get('transactionId') ?? '';
    response.setHeader('access-control-allow-origin', '*');
    switch (`${method} ${path}`) {
      case 'GET /verifone.js':
        response.setHeader('content-type', 'text/javascript').end(ENCRYPTION_SCRIPT);
        break;
      case 'GET /songbird.js':
        response.setHeader('content-type', 'text/javascript').end(authenticationScript(this.origin));
        break;
      case 'POST /cardinal/init': {
        const sessionId = this.service.books.openSession(text);
        sendAnswer(response, sessionId ? { status: 200, body: { sessionId } } : { status: 403, body: {} });
        break;
      }
      case 'POST /acs':
        response.setHeader('content-type', 'text/html').end(bankPage(transactionId));
        break;
      case 'POST /acs/answer': {
        const act = form.get('act') === 'accept' ? 'accept' : 'refuse';
        sendAnswer(response, this.#bankAnswer(transactionId, act));
        break;
      }
      default:
        sendAnswer(response, { status: 404, body: {} });
    }
    return true;
  }

  #bankAnswer(transactionId: string, act: 'accept' | 'refuse'): ProviderAnswer {
    const answered = this.service.books.answer(transactionId, act);
    if (!answered) return { status: 404, body: {} };
    const result = { ActionCode: act === 'accept' ? 'SUCCESS' : 'FAILURE', ErrorNumber: 0 };
    return { status: 200, body: { transactionId, result, jwt: answered.responseJwt } };
  }
}

function isAllowed({ headers }: ProviderRequest): boolean {
  const { userId, apiKey } = VERIFONE_ACCOUNT;
  return headers.authorization === `Basic ${Buffer.from(`${userId}:${apiKey}`).toString('base64')}`;
}

function complaintAbout(operation: Operation, { headers, text }: ProviderRequest): string | null {
  if (WITHOUT_BODY.includes(operation)) return text === '' ? null : 'a body';
  if (headers['content-type'] !== 'application/json') return 'not JSON';
  return readJson(text) === undefined ? 'unreadable JSON' : null;
}
