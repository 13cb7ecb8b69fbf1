import { z } from 'zod';
import type { Answer } from './interview.ts';
import { type SetupContext, textOf, type Written } from './setup-context.ts';

const DeviceUrlSchema = z.url({ protocol: /^https?$/ });

/**
 * Reads the address of a device as people write it: with or without http:// before it.
 *
 * @param path added to an address without one
 */
export function readDeviceAddress(text: string, wrong: string, path = ''): Answer<string> {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  const isPlain = DeviceUrlSchema.safeParse(url).success && !/[\s@]/.test(url);
  if (!isPlain || new URL(url).hostname === '') return { ok: false, wrong };
  const bare = url.replace(/\/+$/, '');
  return { ok: true, value: new URL(bare).pathname === '/' ? `${bare}${path}` : url };
}

/** User and password of a device. The present password stays where nothing is typed. */
export async function askLogin(
  { interview, words }: SetupContext,
  present: Written,
): Promise<{ user: string; password: string }> {
  const user = await interview.text({
    ask: words.user,
    preset: textOf(present, 'user') ?? 'admin',
    read: (text) => ({ ok: true, value: text }),
  });
  const password = await interview.text({
    ask: words.password,
    preset: textOf(present, 'password'),
    isSecret: true,
    read: (text) => ({ ok: true, value: text }),
  });
  return { user, password };
}

/** Asked for https only. Undefined: the setting is not needed. */
export async function askSelfSigned(
  { interview, words }: SetupContext,
  url: string,
  present: Written,
): Promise<boolean | undefined> {
  if (!url.startsWith('https:')) return undefined;
  return await interview.confirm(words.selfSigned, present['selfSigned'] !== false);
}
