import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { sendProven } from './api.ts';
import { Refusal, refusalOf } from './refusal.ts';

/** A large file takes long; that nothing of it moves, or no answer comes after it, ends it. */
const MAX_SILENCE_MS = MINUTE_MS;

/**
 * Sends a form with files. It does not use `fetch`, which does not report progress.
 *
 * @param onSent gets the number of bytes of the whole form that are sent so far
 * @throws Refusal if the cloud refuses or does not answer; `signal.reason` if the caller stops it
 */
export async function sendForm(
  path: string,
  form: FormData,
  { signal, onSent }: { signal: AbortSignal; onSent: (sent: number, total: number) => void },
): Promise<void> {
  const response = await sendProven(() => post(path, form, signal, onSent));
  if (!response.ok) throw await refusalOf(response);
}

function post(
  path: string,
  form: FormData,
  signal: AbortSignal,
  onSent: (sent: number, total: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('Prefer', 'return=representation');
    const stop = () => {
      reject(Refusal.unanswered('timeout'));
      request.abort();
    };
    let silence = setTimeout(stop, MAX_SILENCE_MS);
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(silence);
      silence = setTimeout(stop, MAX_SILENCE_MS);
      onSent(loaded, total);
    };
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(Refusal.noAnswer());
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => clearTimeout(silence);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
