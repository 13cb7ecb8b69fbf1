import { z } from 'zod';
import type { BootedDebian } from './booted-debian.ts';

const SessionSchema = z.looseObject({ account: z.looseObject({ id: z.string() }) });
const SecretSchema = z.looseObject({ secret: z.string() });
const AnswerSchema = z.record(z.string(), z.unknown());

/** An operator at the cloud's API with curl and its cookies, from the machine itself. */
export class CurlOperator {
  readonly #debian: BootedDebian;
  readonly #url: string;
  /** The authority that curl trusts. */
  readonly #ca: string;

  constructor(debian: BootedDebian, { url, ca }: { url: string; ca: string }) {
    this.#debian = debian;
    this.#url = url;
    this.#ca = ca;
  }

  /** Logs in by password and sets up a second factor, by a third party's app. */
  async logIn(id: string, password: string): Promise<void> {
    const { account } = SessionSchema.parse(await this.call('POST', '/session', { id, password }));
    const { secret } = SecretSchema.parse(await this.call('POST', `/accounts/${account.id}/totp`));
    const code = (await this.#debian.does(`oathtool --totp --base32 ${secret}`)).trim();
    await this.call('POST', `/accounts/${account.id}/totp/confirm`, { code });
  }

  /** @returns the answer. Throws where it is refused */
  async call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const options = [
      '--silent',
      '--show-error',
      '--cacert',
      this.#ca,
      '--cookie',
      'jar',
      '--cookie-jar',
      'jar',
      '--header',
      'sec-fetch-site: same-origin',
      '--request',
      method,
      '--write-out',
      '\\n%{http_code}',
      ...(body ? ['--header', 'content-type: application/json', '--data-binary', JSON.stringify(body)] : []),
    ];
    const printed = await this.#debian.does(
      `curl ${[...options, `${this.#url}${path}`].map(quoted).join(' ')}`,
    );
    const [, text = '', status = ''] = /^(.*)\n(\d+)$/s.exec(printed) ?? [];
    if (Number(status) >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === '' ? {} : AnswerSchema.parse(JSON.parse(text));
  }

  /** The plates of all visits. */
  async plates(): Promise<string[]> {
    const { data } = await this.call('GET', '/visits');
    return z
      .array(z.looseObject({ plate: z.string() }))
      .parse(data)
      .map(({ plate }) => plate)
      .sort();
  }
}

/** A word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
