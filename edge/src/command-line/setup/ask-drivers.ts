import { DEFAULT_LANGUAGE, LANGUAGE_NAMES, LANGUAGES, LanguageSchema } from '@hlid/protocol/base/language';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { bySchema } from './interview.ts';
import { type SetupContext, textOf, writtenIn } from './setup-context.ts';

const { helpPhone: PhoneSchema, payOnline: PageSchema } = SiteSettingsSchema.shape;

/** What drivers meet: kiosk, telephone number, payment page. With a cloud its settings apply. */
export async function askDrivers({ interview, words, draft, hasCloud }: SetupContext): Promise<void> {
  if (hasCloud) {
    interview.say(words.fromCloud);
    return;
  }
  const settings = writtenIn(draft.file.get(['site', 'settings']));
  const hasTerminal = draft.file.get(['terminal']) !== undefined;
  const hasKiosk = await interview.confirm(
    words.hasKiosk,
    typeof settings['hasKiosk'] === 'boolean' ? settings['hasKiosk'] : hasTerminal,
  );
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
