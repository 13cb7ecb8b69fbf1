import { mistakeLines } from '@hlid/protocol/base/mistakes/mistake-words';
import { z } from 'zod';
import { isLoopbackEdge } from './address-policy.ts';

const YesNoSchema = z.enum(['yes', 'no']).transform((word) => word === 'yes');

const SettingsSchema = z.object({
  HLID_EDGE_URL: z
    .string()
    .refine(isLoopbackEdge, 'an address of this machine such as http://127.0.0.1:7070')
    .default('http://127.0.0.1:7070'),
  HLID_KIOSK_WINDOWED: YesNoSchema.prefault('no'),
  HLID_KIOSK_CURSOR: YesNoSchema.prefault('no'),
});

/** The shell's settings from its environment. */
export interface ShellSettings {
  edgeUrl: string;
  /** An ordinary window with developer tools, for trying it out at a desk. */
  windowed: boolean;
  cursor: boolean;
}

/** Reads the environment; `mistakes` names all that is wrong with it, by variable. */
export function readShellSettings(
  environment: Readonly<Record<string, string | undefined>>,
): { kind: 'read'; settings: ShellSettings } | { kind: 'wrong'; mistakes: string[] } {
  // Set to nothing is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { data, error } = SettingsSchema.safeParse(given);
  if (!data) {
    return {
      kind: 'wrong',
      mistakes: mistakeLines(SettingsSchema, given, error),
    };
  }
  const windowed = data.HLID_KIOSK_WINDOWED;
  return {
    kind: 'read',
    settings: { edgeUrl: data.HLID_EDGE_URL, windowed, cursor: data.HLID_KIOSK_CURSOR || windowed },
  };
}
