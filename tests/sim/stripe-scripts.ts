import type { ServerResponse } from 'node:http';
import type { ProviderRequest } from './provider-server.ts';
import { STRIPE_ACCOUNT, type StripeBooks } from './stripe-books.ts';

/**
 * `/stripe.js`: a stand-in with the documented surface that the payment page uses: `Stripe(key)`, `elements` for a
 * payment of which only the amount is known, the `payment` element, `createPaymentMethod` and `handleNextAction`. As with
 * the real one, the card is typed into a frame of Stripe's, and wallets are offered where the browser has them.
 */
const script = (origin: string) => `
globalThis.Stripe = (key) => {
  const origin = ${JSON.stringify(origin)};
  const ask = (frame, message) => new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => resolve(data);
    frame.contentWindow.postMessage(message, origin, [channel.port2]);
  });
  return {
    elements(options) {
      const { mode, amount, currency, paymentMethodCreation, paymentMethodTypes = [] } = options;
      if (mode !== 'payment' || !Number.isInteger(amount) || !/^[a-z]{3}$/.test(currency)) throw new Error('elements');
      if (paymentMethodCreation !== 'manual' || paymentMethodTypes.join() !== 'card') throw new Error('elements');
      const own = { frame: null, listeners: new Map(), options };
      return {
        own,
        update(changed) { Object.assign(own.options, changed); },
        async submit() {
          const { error } = await ask(own.frame, { work: 'check' });
          return error ? { error } : {};
        },
        create(type, { wallets = {} } = {}) {
          if (type !== 'payment') throw new Error('create ' + type);
          return {
            on(name, listener) { own.listeners.set(name, listener); },
            mount(place) {
              const frame = document.createElement('iframe');
              const has = (name, inBrowser) => wallets[name] !== 'never' && inBrowser in window;
              const offered = [has('applePay', 'ApplePaySession') && 'apple_pay', has('googlePay', 'PaymentRequestSim') && 'google_pay'];
              frame.name = 'stripe-field';
              frame.title = 'Secure payment input frame';
              frame.src = origin + '/field?key=' + key + '&locale=' + (own.options.locale ?? 'auto') + '&wallets=' + offered.filter(Boolean).join();
              frame.onload = () => own.listeners.get('ready')?.({});
              own.frame = frame;
              place.replaceChildren(frame);
            },
            destroy() { own.frame?.remove(); },
          };
        },
      };
    },
    async createPaymentMethod({ elements }) {
      if (!elements.own.frame?.isConnected) throw new Error('The element is not mounted.');
      return ask(elements.own.frame, { work: 'create' });
    },
    async handleNextAction({ clientSecret }) {
      const frame = document.createElement('iframe');
      frame.name = 'stripe-challenge';
      frame.title = 'Your bank';
      Object.assign(frame.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0', background: '#fff', zIndex: '9999' });
      frame.src = origin + '/bank?secret=' + clientSecret;
      document.body.append(frame);
      await new Promise((resolve) => addEventListener('message', function listen(event) {
        if (event.origin !== origin || event.data !== 'answered') return;
        removeEventListener('message', listen);
        resolve();
      }));
      frame.remove();
      const id = clientSecret.split('_secret_')[0];
      const answer = await (await fetch(origin + '/v1/payment_intents/' + id + '?client_secret=' + clientSecret + '&key=' + key)).json();
      return answer.last_payment_error ? { error: answer.last_payment_error } : { paymentIntent: answer };
    },
  };
};
`;

/** The frame with the fields. Only it has the number; it makes a payment method of it. */
const fieldPage = (key: string, wallets: readonly string[]) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card</title>
<style>body{margin:0;font:16px sans-serif}label{display:block;margin:4px 0}</style>
${wallets.map((wallet) => `<label><input type="radio" name="way" value="${wallet}"> ${wallet === 'apple_pay' ? 'Apple Pay' : 'Google Pay'}</label>`).join('')}
<label>Card number <input name="number" inputmode="numeric"></label>
<label>Expiration date <input name="expiry"></label>
<label>Security code <input name="cvc"></label>
<script>
const value = (name) => document.querySelector('[name=' + name + ']').value.replace(/\\s/g, '');
const way = () => document.querySelector('[name=way]:checked')?.value ?? null;
addEventListener('message', async ({ data: { work }, ports: [port] }) => {
  const isWhole = way() !== null || (value('number').length >= 12 && value('expiry') !== '' && value('cvc').length >= 3);
  if (!isWhole) return port.postMessage({ error: { type: 'validation_error', code: 'incomplete_number', message: 'Your card number is incomplete.' } });
  if (work === 'check') return port.postMessage({});
  const fields = { key: ${JSON.stringify(key)}, type: 'card', 'card[number]': value('number'), 'card[cvc]': value('cvc') };
  if (way() !== null) Object.assign(fields, { 'card[number]': '', 'card[wallet]': way() });
  const answer = await fetch('/v1/payment_methods', { method: 'POST', body: new URLSearchParams(fields) });
  const body = await answer.json();
  port.postMessage(answer.ok ? { paymentMethod: body } : body);
});
</script></html>`;

const bankPage = (secret: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your bank</title>
<h1>Your bank</h1><p>Do you approve this payment?</p>
<button data-act="accept">Approve</button> <button data-act="refuse">Refuse</button>
<script>
for (const button of document.querySelectorAll('button'))
  button.onclick = async () => {
    const body = new URLSearchParams({ secret: ${JSON.stringify(secret)}, act: button.dataset.act });
    await fetch('/bank/answer', { method: 'POST', body });
    parent.postMessage('answered', '*');
  };
</script></html>`;

/** The side of Stripe that browsers load and call: with the publishable key, or the secret of one intent. */
export class StripeBrowserSide {
  readonly #books: StripeBooks;
  readonly #origin: () => string;

  constructor(books: StripeBooks, origin: () => string) {
    this.#books = books;
    this.#origin = origin;
  }

  /** @returns whether it was for a browser */
  serve({ method, path, query, text }: ProviderRequest, response: ServerResponse): boolean {
    const form = new URLSearchParams(text);
    response.setHeader('access-control-allow-origin', '*');
    switch (`${method} ${path}`) {
      case 'GET /stripe.js':
        response.setHeader('content-type', 'text/javascript').end(script(this.#origin()));
        return true;
      case 'GET /field': {
        const wallets = (query.get('wallets') ?? '').split(',').filter((wallet) => /^\w+$/.test(wallet));
        const html = fieldPage((query.get('key') ?? '').replace(/\W/g, ''), wallets);
        response.setHeader('content-type', 'text/html').end(html);
        return true;
      }
      case 'POST /v1/payment_methods':
        this.#createMethod(response, form);
        return true;
      case 'GET /bank': {
        const html = bankPage((query.get('secret') ?? '').replace(/\W/g, ''));
        response.setHeader('content-type', 'text/html').end(html);
        return true;
      }
      case 'POST /bank/answer': {
        const intent = this.#bySecret(form.get('secret'));
        const act = form.get('act') === 'accept' ? 'accept' : 'refuse';
        const isAnswered = intent && this.#books.answerChallenge(intent.id, act);
        response.writeHead(isAnswered ? 200 : 404).end('{}');
        return true;
      }
      default:
        return query.has('client_secret') && this.#readIntent(response, query);
    }
  }

  #createMethod(response: ServerResponse, form: URLSearchParams): void {
    const isOurs = form.get('key') === STRIPE_ACCOUNT.publishableKey;
    if (!isOurs) {
      response.writeHead(401).end('{"error":{"type":"invalid_request_error"}}');
      return;
    }
    const wallet = form.get('card[wallet]');
    const isWallet = wallet === 'apple_pay' || wallet === 'google_pay';
    // A wallet has a separate number for the device.
    const number = isWallet ? '4242424242424242' : (form.get('card[number]') ?? '');
    const method = this.#books.createMethod(number, isWallet ? wallet : null);
    const body = { id: method.id, object: 'payment_method', type: 'card', card: { last4: number.slice(-4) } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #readIntent(response: ServerResponse, query: URLSearchParams): boolean {
    const intent = this.#bySecret(query.get('client_secret'));
    const isOurs = query.get('key') === STRIPE_ACCOUNT.publishableKey;
    if (!intent || !isOurs) {
      response.writeHead(404).end('{"error":{"type":"invalid_request_error"}}');
      return true;
    }
    const { id, status, error } = intent;
    const body = { id, object: 'payment_intent', status, last_payment_error: error };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  }

  #bySecret(secret: string | null) {
    return this.#books.intents.find((intent) => intent.secret === secret) ?? null;
  }
}
