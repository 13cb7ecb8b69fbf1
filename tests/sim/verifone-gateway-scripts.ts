/**
 * Stand-ins for the two scripts on the page. They have the documented surface, and another format behind it:
 * Verifone's script encrypts by OpenPGP, this one by RSA-OAEP and AES-GCM, which browsers can do by
 * themselves. What is encrypted is the same, and only the service that has the private key ever reads it.
 */

/** `/verifone.js`: `verifone.encryptCard(card, publicKey)`, which adds the time of capture. */
export const ENCRYPTION_SCRIPT = `
globalThis.verifone = {
  async encryptCard(card, publicKey) {
    const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
    const rsa = { name: 'RSA-OAEP', hash: 'SHA-256' };
    const outer = await crypto.subtle.importKey('spki', bytes(publicKey), rsa, false, ['encrypt']);
    const inner = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const captured = JSON.stringify({ ...card, captureTime: new Date().toISOString() });
    const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, inner, new TextEncoder().encode(captured));
    const raw = await crypto.subtle.exportKey('raw', inner);
    const key = await crypto.subtle.encrypt(rsa, outer, raw);
    return btoa(JSON.stringify({ key: text(key), iv: text(iv), data: text(data) }));
  },
};
`;

/**
 * `/songbird.js`: `Cardinal.configure`, `on`, `off`, `setup` and `continue`. As with the real one, a session is over
 * after `payments.setupComplete`, and `continue` needs another `setup` with the same JWT.
 *
 * @param origin of the simulator
 */
export const authenticationScript = (origin: string) => `
globalThis.Cardinal = (() => {
  const origin = ${JSON.stringify(origin)};
  const handlers = new Map();
  const fire = (name, ...values) => handlers.get(name)?.(...values);
  let jwt = null;
  return {
    configure() {},
    on(name, handler) { handlers.set(name, handler); },
    off(name) { handlers.delete(name); },
    setup(kind, options) {
      if (kind !== 'init') throw new Error('Cardinal.setup: ' + kind);
      jwt = options.jwt;
      fetch(origin + '/cardinal/init', { method: 'POST', body: jwt })
        .then((answer) => { if (!answer.ok) throw new Error('init ' + answer.status); return answer.json(); })
        .then(({ sessionId }) => fire('payments.setupComplete', { sessionId }))
        .catch((error) => fire('payments.validated', { ActionCode: 'ERROR', ErrorDescription: String(error) }));
    },
    continue(kind, { AcsUrl, Payload }, { OrderDetails: { TransactionId } }) {
      if (kind !== 'cca') throw new Error('Cardinal.continue: ' + kind);
      if (jwt === null) return;
      const frame = document.createElement('iframe');
      frame.id = 'Cardinal-CCA-IFrame';
      frame.name = 'Cardinal-CCA-IFrame';
      frame.title = 'Your bank';
      frame.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff;z-index:9999';
      document.body.append(frame);
      const listen = ({ origin: from, data }) => {
        if (from !== new URL(AcsUrl).origin || data?.transactionId !== TransactionId) return;
        removeEventListener('message', listen);
        frame.remove();
        jwt = null;
        fire('payments.validated', data.result, data.jwt);
      };
      addEventListener('message', listen);
      const form = document.createElement('form');
      form.method = 'POST';
      form.action = AcsUrl;
      form.target = frame.name;
      for (const [name, value] of Object.entries({ creq: Payload, transactionId: TransactionId })) {
        const input = document.createElement('input');
        Object.assign(input, { type: 'hidden', name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();
      form.remove();
    },
  };
})();
`;

/** The bank's page in the frame. Its buttons send the driver's answer, and it passes the result on to the script. */
export const bankPage = (transactionId: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Your bank</title>
<h1>Your bank</h1><p>Do you approve this payment?</p>
<button data-act="accept">Approve</button> <button data-act="refuse">Refuse</button>
<script>
for (const button of document.querySelectorAll('button'))
  button.onclick = async () => {
    const body = new URLSearchParams({ transactionId: ${JSON.stringify(transactionId)}, act: button.dataset.act });
    parent.postMessage(await (await fetch('/acs/answer', { method: 'POST', body })).json(), '*');
  };
</script></html>`;
