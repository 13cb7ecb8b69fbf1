import { CurrencySchema } from '@hlid/protocol/base/money';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import { z } from 'zod';
import { bySchema } from './interview.ts';
import { type SetupContext, textOf, writtenIn } from './setup-context.ts';

/** Name, time zone and currency. */
export async function askSite({ interview, words, draft, enrolledName }: SetupContext): Promise<void> {
  const site = writtenIn(draft.file.get(['site']));
  const name = await interview.text({
    ask: words.siteName,
    preset: textOf(site, 'name') ?? enrolledName,
    read: bySchema(z.string().min(1), words.needed),
  });
  const timeZone = await interview.text({
    ask: words.timeZone,
    preset: textOf(site, 'timeZone') ?? usualTimeZone(),
    read: bySchema(TimeZoneSchema, words.notTimeZone),
  });
  const currency = await interview.text({
    ask: words.currency,
    preset: textOf(site, 'currency') ?? 'ISK',
    read: (text) => bySchema(CurrencySchema, words.notCurrency)(text.toUpperCase()),
  });
  draft.file.set(['site'], { name, timeZone, currency });
}

/** The time zone of this machine, unless it is not set. */
function usualTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone.includes('/') && !timeZone.startsWith('Etc/') ? timeZone : 'Atlantic/Reykjavik';
}
