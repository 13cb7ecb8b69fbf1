import { DEFAULT_LANGUAGE, LANGUAGE_NAMES, LANGUAGES, LanguageSchema } from '@hlid/protocol/base/language';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { KioskConfigSchema } from '../../config/config.ts';
import { bySchema } from './interview.ts';
import { type SetupContext, textOf, writtenIn } from './setup-context.ts';

const { name: KioskNameSchema } = KioskConfigSchema.shape;
const { helpPhone: PhoneSchema, payOnline: PageSchema } = SiteSettingsSchema.shape;

/** Asks for kiosk, telephone number and payment page. With a cloud its settings apply. */
export async function askDrivers(context: SetupContext): Promise<void> {
  const { interview, words, draft, hasCloud } = context;
  if (hasCloud) {
    interview.say(words.fromCloud);
    // Its name stays here: alarms of this machine have it.
    if (draft.file.get(['terminal']) !== undefined) await askKioskName(context);
    return;
  }
  const settings = writtenIn(draft.file.get(['site', 'settings']));
  const hasTerminal = draft.file.get(['terminal']) !== undefined;
  const hasKiosk = await interview.confirm(
    words.hasKiosk,
    typeof settings['hasKiosk'] === 'boolean' ? settings['hasKiosk'] : hasTerminal,
  );
  if (hasKiosk) await askKioskName(context);
  else draft.file.remove(['kiosk']);
  const language = hasKiosk
    ? await interview.choose(
        words.kioskLanguage,
        LANGUAGES.map((value) => ({ value, words: LANGUAGE_NAMES[value] })),
        LanguageSchema.safeParse(settings['language']).data ?? DEFAULT_LANGUAGE,
      )
    : undefined;
  const helpPhone = await interview.optional({
    ask: words.helpPhone,
    preset: textOf(settings, 'helpPhone'),
    read: bySchema(PhoneSchema.unwrap(), words.notPhone),
  });
  if (helpPhone === null) interview.say(`  ${words.noPhone}`);
  const payOnline = await interview.optional({
    ask: words.payOnline,
    preset: textOf(settings, 'payOnline'),
    read: bySchema(PageSchema.unwrap(), words.notPayOnline),
  });
  draft.file.set(['site', 'settings'], {
    hasKiosk,
    ...(language !== undefined && { language }),
    helpPhone: helpPhone ?? undefined,
    payOnline: payOnline ?? undefined,
  });
}

async function askKioskName({ interview, words, draft }: SetupContext): Promise<void> {
  const name = await interview.optional({
    ask: words.kioskName,
    preset: textOf(writtenIn(draft.file.get(['kiosk'])), 'name'),
    read: bySchema(KioskNameSchema.unwrap(), words.notKioskName),
  });
  if (name === null) draft.file.remove(['kiosk']);
  else draft.file.set(['kiosk'], { name });
}
