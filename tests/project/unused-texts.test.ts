import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Texts {
  readonly [key: string]: string | Texts;
}

/** Each key of a file of texts, with the groups in which it is. */
function keysOf(texts: Texts, within: readonly string[] = []): string[][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[...within, key]] : keysOf(text, [...within, key]),
  );
}

/** The code of folders, without their files of texts and their tests. */
function codeIn(folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !/\/words\/(\w\w\/)?\w+\.ts$/.test(file))
    .map((file) => readFileSync(`${ROOT}${file}`, 'utf8'))
    .join('\n');
}

/** Keys that the code never names, in groups that it never reads by a code and never passes on. */
function unusedIn(texts: Texts, folders: readonly string[]): string[] {
  const code = codeIn(folders);
  const named = new Set(code.match(/[\w-]+/g));
  // `const FIELD_WORDS = roomWords('audit').fieldWords`
  const given = code.matchAll(/const (\w+)(?::[^=]+)? =\s+(?:roomWords\('\w+'\)\.|wordsOf\(')(\w+)/g);
  const names = new Map([...given].map(([, name = '', group = '']) => [group, name] as const));
  const isReadByCode = (group: string) =>
    [group, names.get(group) ?? group].some((name) =>
      [`${name}[`, `...${name},`, `.${name},`, `.${name})`].some((use) => code.includes(use)),
    );
  const isUsed = (path: readonly string[]) => {
    const [key = '', ...groups] = path.toReversed();
    return named.has(key) || groups.some(isReadByCode);
  };
  return keysOf(texts)
    .filter((path) => !isUsed(path))
    .map((path) => path.join('.'));
}

const CONSOLE = 'cloud/console/src/words/en';
/** The texts of lanes are shared with the lanes page, and are searched there. */
const consoleFiles = readdirSync(`${ROOT}${CONSOLE}`).filter(
  (file) => file !== 'en.ts' && file !== 'lanes.ts',
);

describe('no text stands unused', () => {
  it.each<[file: string, name: string, folders: string[]]>([
    ['kiosk/src/renderer/words/en.ts', 'EN', ['kiosk/src/renderer', 'kiosk/ui/src', 'protocol/src/words']],
    ['cloud/pay-page/src/words/en.ts', 'EN', ['cloud/pay-page/src', 'kiosk/ui/src', 'protocol/src/words']],
    ['edge/page/src/words/en.ts', 'EN', ['edge/page/src', 'kiosk/ui/src', 'protocol/src/words']],
    ['cloud/src/paying/receipts/words/en.ts', 'RECEIPT_EN', ['cloud/src/paying']],
    ['cloud/src/money/invoices/words/en.ts', 'INVOICE_EN', ['cloud/src/money', 'cloud/src/paying']],
    ['cloud/src/paying/drivers/charge/words/en.ts', 'DRIVER_MAIL_EN', ['cloud/src/paying/drivers']],
    ['cloud/src/paying/disputes/words/en.ts', 'DISPUTE_MAIL_EN', ['cloud/src/paying/disputes']],
    ['cloud/src/paying/online-payments/words/en.ts', 'RETURN_EN', ['cloud/src/paying/online-payments']],
    ['cloud/src/paying/pay/words/en.ts', 'PAY_EN', ['cloud/src/paying/pay']],
    ['cloud/src/people/accounts/words/en.ts', 'ACCOUNT_EN', ['cloud/src/people/accounts']],
    ['cloud/src/people/electronic-id/words/en.ts', 'IDENTIFICATION_EN', ['cloud/src/people/electronic-id']],
    ['cloud/src/people/mail/words/en.ts', 'ALARM_MAIL_EN', ['cloud/src']],
    ['cloud/src/books/reminders/words/en.ts', 'REMINDER_EN', ['cloud/src/books/reminders']],
    ['cloud/src/integration/reports/words/en.ts', 'FILE_EN', ['cloud/src/integration/reports']],
    ['edge/src/command-line/setup/words/en.ts', 'SETUP_EN', ['edge/src/command-line']],
  ])('in %s', async (file, name, folders) => {
    const texts: Record<string, Texts> = await import(`${ROOT}${file}`);
    expect(unusedIn(texts[name] ?? {}, folders)).toEqual([]);
  });

  it.each(consoleFiles)('in the console: %s', async (file) => {
    const texts: Texts = await import(`${ROOT}${CONSOLE}/${file}`);
    expect(unusedIn({ ...texts }, ['cloud/console/src'])).toEqual([]);
  });
});
