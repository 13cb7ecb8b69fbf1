import { codeText } from '../../base/texts.ts';
import type { DeviceKind } from '../../records/device.ts';
import type { CodeWords } from './code-words.ts';

/** The name of a device of a site, for people. @param name its own name, or its id */
export function deviceName(
  { deviceKind }: Pick<CodeWords, 'deviceKind'>,
  kind: DeviceKind,
  name: string,
): string {
  const words = codeText(deviceKind, kind);
  // The daemon's own devices have the name of their site's computer, which is of no use to a person.
  return name === 'site' ? words : `${words} ${name}`;
}
