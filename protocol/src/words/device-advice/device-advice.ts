import type { OfficeLanguage } from '../../base/language.ts';
import { textsByLanguage } from '../../base/texts.ts';
import type { AlarmState, DeviceKind } from '../../records/device.ts';
import { DEVICE_ADVICE_EN } from './en.ts';
import { DEVICE_ADVICE_IS } from './is.ts';

export const DEVICE_ADVICE = textsByLanguage<OfficeLanguage, typeof DEVICE_ADVICE_EN>({
  is: DEVICE_ADVICE_IS,
  en: DEVICE_ADVICE_EN,
});

/** The advice about a device that does not work. */
export function deviceAdvice(language: OfficeLanguage, kind: DeviceKind, state: AlarmState): string {
  const { all, ofKind } = DEVICE_ADVICE[language];
  const special: Partial<Record<string, string>> = ofKind;
  return special[`${kind}.${state}`] ?? all[state];
}
