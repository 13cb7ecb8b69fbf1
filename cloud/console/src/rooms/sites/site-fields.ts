import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { LANGUAGE_NAMES, LANGUAGES } from '@hlid/protocol/base/language';
import type { Draft } from '../../ui/draft.ts';
import type { FieldSpec } from '../../ui/fields.tsx';
import { WORDS } from './site-words.ts';

type Field = FieldSpec<Draft>;

const MINUTES = { kind: 'number', min: 0, max: 1440, isRequired: true } as const;

/** Those that matter first. */
export const SITE_PARTS: readonly { title: string; fields: readonly Field[] }[] = [
  {
    title: WORDS.parts.site,
    fields: [
      { kind: 'text', name: 'name', label: WORDS.name, isRequired: true },
      { kind: 'text', name: 'timeZone', label: WORDS.timeZone, hint: WORDS.timeZoneHint, isRequired: true },
      { kind: 'text', name: 'currency', label: WORDS.currency, isRequired: true },
      { kind: 'number', name: 'capacity', label: WORDS.capacity, hint: WORDS.capacityHint, min: 0 },
    ],
  },
  {
    title: WORDS.parts.gates,
    fields: [
      { kind: 'check', name: 'permitsOnly', label: WORDS.permitsOnly },
      { kind: 'check', name: 'opensUnreadable', label: WORDS.opensUnreadable },
      { kind: 'check', name: 'opensUnmatchedExit', label: WORDS.opensUnmatchedExit },
    ],
  },
  {
    title: WORDS.parts.times,
    fields: [
      { ...MINUTES, name: 'entryGraceMinutes', label: WORDS.entryGrace, hint: WORDS.entryGraceHint },
      { ...MINUTES, name: 'exitGraceMinutes', label: WORDS.exitGrace },
    ],
  },
  {
    title: WORDS.parts.drivers,
    fields: [
      { kind: 'text', name: 'helpPhone', label: WORDS.helpPhone, hint: WORDS.helpPhoneHint, type: 'tel' },
      {
        kind: 'choice',
        name: 'language',
        label: WORDS.language,
        choices: [
          ['', WORDS.languageDefault],
          ...LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const),
        ],
      },
      {
        kind: 'choice',
        name: 'hasKiosk',
        label: WORDS.hasKiosk,
        choices: [
          ['', WORDS.kiosk.auto],
          ['true', WORDS.kiosk.yes],
          ['false', WORDS.kiosk.no],
        ],
      },
      {
        kind: 'number',
        name: 'kioskEntryDays',
        label: WORDS.kioskEntryDays,
        hint: WORDS.kioskEntryDaysHint,
        min: 1,
        max: 60,
      },
      { kind: 'text', name: 'payOnline', label: WORDS.payOnline, type: 'url' },
      { kind: 'text', name: 'cardGateway', label: WORDS.cardGateway, hint: WORDS.cardGatewayHint },
      {
        kind: 'number',
        name: 'payAfterDays',
        label: WORDS.payAfterDays,
        hint: WORDS.payAfterDaysHint,
        min: 0,
        max: 365,
      },
    ],
  },
  {
    title: WORDS.parts.invoices,
    fields: [
      { kind: 'check', name: 'invoicesOwners', label: WORDS.invoicesOwners },
      { kind: 'check', name: 'chargesServiceFees', label: WORDS.chargesServiceFees },
      { kind: 'check', name: 'chargesLateFees', label: WORDS.chargesLateFees },
      {
        kind: 'number',
        name: 'invoiceDueDays',
        label: WORDS.invoiceDueDays,
        hint: WORDS.invoiceDueDaysHint,
        min: 0,
        max: 90,
      },
    ],
  },
  {
    title: WORDS.parts.seller,
    fields: [
      { kind: 'text', name: 'seller.name', label: WORDS.sellerName, hint: WORDS.sellerHint },
      { kind: 'text', name: 'seller.ssn', label: WORDS.ssn },
      { kind: 'text', name: 'seller.vatNumber', label: WORDS.vatNumber },
      { kind: 'text', name: 'seller.bankAccount', label: WORDS.bankAccount },
      { kind: 'text', name: 'seller.address', label: WORDS.address },
    ],
  },
  {
    title: WORDS.parts.reads,
    fields: [
      {
        kind: 'number',
        name: 'confusableScore',
        label: WORDS.confusable,
        min: 0,
        max: 1,
        step: 0.01,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'passageWindowMs',
        label: WORDS.passageWindow,
        min: 500,
        max: 2 * MINUTE_MS,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'standingMs',
        label: WORDS.standing,
        min: 0,
        max: HOUR_MS,
        isRequired: true,
      },
      {
        kind: 'number',
        name: 'sameCarMs',
        label: WORDS.sameCar,
        hint: WORDS.sameCarHint,
        min: 0,
        max: MINUTE_MS,
        isRequired: true,
      },
      { ...MINUTES, name: 'exitWaitMinutes', label: WORDS.exitWait, min: 1 },
      {
        kind: 'number',
        name: 'exitPatienceMs',
        label: WORDS.exitPatience,
        hint: WORDS.exitPatienceHint,
        min: 500,
        max: 10_000,
      },
    ],
  },
  {
    title: WORDS.parts.upgrades,
    fields: [
      {
        kind: 'number',
        name: 'upgradeRing',
        label: WORDS.upgradeRing,
        hint: WORDS.upgradeRingHint,
        min: 1,
        max: 9,
        isRequired: true,
      },
    ],
  },
];
